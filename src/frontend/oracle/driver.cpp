#include "frontend/oracle/driver.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "event/run_state.hpp"
#include "frontend/oracle/annotation.hpp"
#include "frontend/oracle/hook_calls.hpp"
#include "frontend/oracle/recording.hpp"
#include "frontend/oracle/variation.hpp"
#include "runtime/annotated/annotated.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/annotated/steps.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/log/findings.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/access_mode.hpp"
#include "runtime/threads/record_reuse.hpp"

namespace heddle::oracle {
namespace {

using namespace event;

// A fixed address, where nothing else lies, so that a disagreement shows again in another process. Locks and objects
// come first, then the stacks of threads, then data: at a multiple of 4 MiB, as variation.cpp expects.
constexpr uptr kArena = uptr{0x2000} << 32;
constexpr usize kArenaSize = usize{64} << 20;
constexpr uptr kLocks = kArena, kSyncObjects = kArena + 4096, kStacks = kArena + (1 << 20);
constexpr uptr kData = kArena + (4 << 20);

// Of the program that runs.
Observed* g_observed = nullptr;
u32 g_event = 0;

}  // namespace

uptr memory_base() { return kData; }

// What a history has as a number.
namespace {
uptr address_of_lock(u32 lock) { return kLocks + lock * 8; }
uptr address_of_object(u32 object) { return kSyncObjects + object * 16; }
MachineStack stack_of_thread(u32 thread) {
  const uptr low = kStacks + thread * 64;
  return {low, low + 64};
}

// Objects that nobody awaits.
constexpr u32 kNobodys = 3 * kObjects;
// Another one, that is no atomic variable.
u32 not_atomic(u32 object) { return object / kObjects == 1 ? object - kObjects : object; }
}  // namespace

History settle(const History& history) {
  History settled;
  RunState state;
  std::map<u32, u32> runs_on;  // tasks whose thread is given by what they are
  std::map<u32, u32> thread_of = {{0, 1}};
  std::set<u32> touched;   // something, since their last release
  std::set<u32> chunks;    // that have released nothing
  std::set<u32> informed;  // of all new memory, if it is recorded
  bool renewed = false;
  const bool renews = std::any_of(history.begin(), history.end(), [](const Event& event) {
    return std::holds_alternative<NewMemory>(event);
  });
  auto add = [&](Event event) {
    state.apply(event);
    settled.push_back(std::move(event));
  };
  for (const Event& event : history) {
    if (auto* e = std::get_if<Spawn>(&event); e && e->kind == SpawnKind::kThread)
      runs_on[e->child] = kOwnThreads + e->child;
    if (auto* e = std::get_if<Spawn>(&event); e && e->kind == SpawnKind::kUndeferred)
      runs_on[e->child] = thread_of[e->task];
    if (auto* e = std::get_if<TeamBegin>(&event)) thread_of[e->task] = e->thread;
    if (auto* e = std::get_if<WorkBegin>(&event)) {
      thread_of[e->task] = e->thread;
      if (renews) chunks.insert(e->task);
    }
    if (auto* e = std::get_if<End>(&event); e && chunks.erase(e->task)) add(Signal{e->task, kNobodys});
    if (auto* e = std::get_if<Begin>(&event)) {
      auto given = runs_on.find(e->task);
      thread_of[e->task] = given == runs_on.end() ? e->thread : given->second;
      add(Begin{e->task, thread_of[e->task]});
      continue;
    }
    if (rt().options.check_atomicity) {
      if (std::holds_alternative<Bind>(event)) continue;
      if (auto* e = std::get_if<Access>(&event)) {
        Access part = *e;
        part.bound = false;
        if (reads_too(part)) part.write = false, add(part);
        part.write = e->write;
        touched.insert(e->task);
        add(part);
        continue;
      }
      if (auto* e = std::get_if<Signal>(&event)) {
        add(Signal{e->task, not_atomic(e->object), e->replace});
        continue;
      }
      if (auto* e = std::get_if<Await>(&event)) {
        add(Await{e->task, not_atomic(e->object)});
        continue;
      }
    }
    if (auto* e = std::get_if<Access>(&event)) {
      touched.insert(e->task);
      if (renewed && rt().recording && informed.insert(e->task).second) add(Signal{e->task, kNobodys});
    }
    if (std::holds_alternative<NewMemory>(event)) informed.clear(), renewed = true;
    if (auto* e = std::get_if<NewMemory>(&event))
      for (u32 task : std::exchange(touched, {})) {
        const Event release = Signal{task, kNobodys};
        if (task == e->task)
          touched.insert(task);
        else if (state.allows(release))
          add(release);
      }
    add(event);
    // Hooks of atomic operations do not know whose memory it is.
    if (auto* e = std::get_if<Access>(&settled.back())) e->bound &= !e->atomic;
  }
  return settled;
}

namespace {

class Driver {
 public:
  explicit Driver(const History& history) : history_(history), builder_(rt().order) {
    for (const Event& event : history) {
      if (auto* e = std::get_if<Spawn>(&event)) task(e->child).kind = e->kind;
      if (auto* e = std::get_if<GroupOpen>(&event)) ++task(e->task).open_groups;
      if (auto* e = std::get_if<GroupClose>(&event)) --task(e->task).open_groups;
      auto* access = std::get_if<Access>(&event);
      bound_ |= std::holds_alternative<Bind>(event) || (access && access->bound);
      renews_ |= std::holds_alternative<NewMemory>(event);
    }
    observed_.touches.resize(history.size());
    observed_.steps.resize(history.size());
    g_observed = &observed_;
    if (rt().recording) recording::begin(builder_.task(0));
    set_self(rt().initial);
    RuntimeScope scope(*rt().initial);
    let_go(*std::exchange(rt().initial->context->task, &builder_.task(0)));
    describe(builder_.task(0), TaskKind::kInitialThread, 0);
    builder_.task(0).thread.store(rt().initial->number, std::memory_order_relaxed);
    name(0);
    task(0).context = rt().initial->context;
    task(0).thread = threads_[1] = rt().initial;
  }

  Observed run() {
    if (rt().options.check_atomicity) annotate_all();
    for (u32 i = 0; i < history_.size(); ++i) {
      now_ = g_event = i;
      std::visit([&](const auto& e) { add(e); }, history_[i]);
      if (i == collect_after_) record_reuse::collect_now();
    }
    finish();
    return std::move(observed_);
  }

 private:
  struct TaskState {
    SpawnKind kind = SpawnKind::kTask;
    TaskContext* context = nullptr;
    ThreadState* thread = nullptr;
    int open_groups = 0;    // in the end
    u32 parent = 0;         // of an undeferred one
    bool included = false;  // in it
    order::Structure::Included outer_children = {};
    u32 call = kNoCall;  // that it is in
  };
  static constexpr u32 kNoCall = ~u32{0};

  TaskState& task(u32 number) {
    if (number >= tasks_.size()) tasks_.resize(number + 1);
    return tasks_[number];
  }

  // --- threads and the tasks that they run -------------------------------------------------------------------------

  ThreadState& thread(u32 number) {
    ThreadState*& thread = threads_[number];
    if (!thread) {
      set_self(nullptr);
      thread = attach_thread(nullptr, stack_of_thread(number));
    }
    return *thread;
  }

  void leave(ThreadState& thread) {
    for (TaskState& state : tasks_) {
      if (state.context != thread.context) continue;
      state.call = kNoCall;
      if (state.included) task(state.parent).call = kNoCall;  // whose calls these are, too
    }
    leave_task(thread);
  }
  // Makes it the thread's current task. Others that run there are left, as parts of untied tasks are, if it is below
  // them; else it begins, or goes on, on top of them.
  ThreadState& run(u32 number) {
    TaskState& state = task(number);
    ThreadState& thread = *state.thread;
    set_self(&thread);
    if (thread.context == state.context) return thread;
    RuntimeScope scope(thread);
    bool below = false;
    for (const TaskContext* at = thread.context; at; at = at->outer) below |= at == state.context;
    if (below)
      while (thread.context != state.context) leave(thread);
    else
      enter_task(thread, *state.context, 0);
    return thread;
  }

  void name(u32 number) {
    std::vector<u32>& names = observed_.recorded_as;
    if (number >= names.size()) names.resize(number + 1);
    names[number] = builder_.task(number).recorded_as;
  }

  // Records are used again, in the same program and in later ones: sometimes they are collected in the midst of one.
  static u32 when_to_collect(const History& history) {
    static u64 programs = 0;
    constexpr u32 kOften = 4;
    const bool collects = ++programs % kOften == 0 && !rt().recording && !rt().options.check_atomicity;
    return collects && !history.empty() ? static_cast<u32>(mix(programs) % history.size()) : ~u32{0};
  }
  // Of a program that is over: nothing names it any more.
  static void let_go(const order::Task& task) {
    task.kept.store(false, std::memory_order_relaxed);
    rt().order.let_go(const_cast<order::Task&>(task));
  }

  TaskKind kind_of(TaskKind kind) const { return bound_ ? TaskKind::kExplicitTask : kind; }

  void begin(u32 number, u32 thread_number, TaskKind kind) {
    TaskState& state = task(number);
    state.thread = &thread(thread_number);
    set_self(state.thread);
    state.context = memory::make<TaskContext>();
    RuntimeScope scope(*state.thread);
    builder_.add(history_[now_]);
    state.context->task = &builder_.task(number);
    name(number);
    if (std::holds_alternative<Begin>(history_[now_]))
      recorder::begun(*state.thread, *state.context->task);
    else
      describe(*state.context->task, kind, 0);
    enter_task(*state.thread, *state.context, 0);
  }

  // An undeferred child without clauses is part of its parent, as the OpenMP frontend has it. Here that is known only
  // if nothing keeps the two apart in the history: locks, claims, groups that are left open.
  bool may_be_included(const Spawn& e) {
    return e.kind == SpawnKind::kUndeferred && e.depends.empty() && !rt().recording &&
           !rt().options.check_atomicity && !bound_ && !renews_ && !task(e.task).context->lockset &&
           task(e.child).open_groups == 0;
  }
  // The one whose task of the order it is.
  u32 top(u32 number) {
    while (task(number).included) number = task(number).parent;
    return number;
  }
  void begin_included(u32 number) {
    TaskState& state = task(number);
    TaskContext& parent = *task(state.parent).context;
    ThreadState& thread = run(state.parent);
    state.thread = &thread;
    state.context = memory::make<TaskContext>();
    RuntimeScope scope(thread);
    state.context->task = parent.task;
    state.outer_children = rt().order.begin_included(*parent.task);
    state.context->hold_as(parent);
    state.context->stack_base = parent.stack_base;
    state.context->outer = &parent;
    thread.context = state.context;
  }

  // An event of the order, by a task that runs.
  void order_event(u32 number) {
    RuntimeScope scope(run(number));
    Event event = history_[now_];
    std::visit([&](auto& e) { e.task = top(number); }, event);
    builder_.add(event);
  }

  void finish() {
    const TaskState root = task(0);
    for (auto& [number, state] : threads_) {
      set_self(state);
      {
        RuntimeScope scope(*state);
        while (state->context && state->context != root.context) leave(*state);
      }
      if (number == 1) continue;
      set_self(state);
      state->active = false;
      detach_thread(*state);
    }
    for (TaskState& state : tasks_)
      if (state.context && state.context != root.context) memory::destroy(state.context);
    set_self(rt().initial);
    if (rt().recording) take_record(recording::end());
    rt().order.start_again();
    forget_memory();
    for (u32 number = 1; number < tasks_.size(); ++number)
      if (tasks_[number].thread && !tasks_[number].included) let_go(builder_.task(number));
    if (rt().recording) return;
    RuntimeScope scope(*rt().initial);
    root.context->locks.clear();
    root.context->lockset = 0;
    root.context->claims = 0;
  }
  // As the driven history has it: no stacks, no atomic variables that carry signals.
  void take_record(History history) {
    for (Event& event : history) {
      auto* access = std::get_if<Access>(&event);
      auto* memory = std::get_if<NewMemory>(&event);
      if (access) access->address -= kData, access->site = 0;
      if (memory) memory->address -= kData;
      const u64 address = access ? access->address : memory ? memory->address : 0;
      if (address < kArenaSize) observed_.recorded.push_back(std::move(event));
    }
  }

  void forget_memory() {
    new_memory(kLocks, kSyncObjects + 4096 - kLocks);
    for (const Event& event : history_)
      if (auto* e = std::get_if<Access>(&event)) {
        const uptr begin = (kData + e->address) & ~uptr{7};
        new_memory(begin, kData + e->address + e->size - begin);
      }
  }

  // --- events ------------------------------------------------------------------------------------------------------

  void add(const Spawn& e) {
    task(e.child).parent = e.task;
    if (may_be_included(e)) {
      task(e.child).included = true;
      return;
    }
    if (!e.depends.empty()) recorder::expect_depends(run(e.task));
    order_event(e.task);
    name(e.child);
    const bool thread = e.kind == SpawnKind::kThread;
    describe(builder_.task(e.child), thread ? kind_of(TaskKind::kThread) : TaskKind::kExplicitTask, 0);
    if (e.depends.empty()) return;
    const std::vector<order::Depend> clauses = clauses_of(e.depends);
    recorder::depends(*self(), builder_.task(e.child), clauses.data(), static_cast<u32>(clauses.size()));
  }
  static std::vector<order::Depend> clauses_of(const std::vector<event::Depend>& depends) {
    std::vector<order::Depend> clauses;
    for (const event::Depend& depend : depends) clauses.push_back({depend.address, depend.kind});
    return clauses;
  }
  void add(const WaitDepend& e) {
    order_event(e.task);
    const std::vector<order::Depend> clauses = clauses_of(e.depends);
    recorder::waited_for_depends(*self(), builder_.task(top(e.task)), clauses.data(),
                                 static_cast<u32>(clauses.size()));
  }
  void add(const Begin& e) {
    if (task(e.task).included) return begin_included(e.task);
    if (task(e.task).kind != SpawnKind::kThread) return begin(e.task, e.thread, TaskKind::kExplicitTask);
    builder_.add(e);
    name(e.task);
    set_self(nullptr);
    ThreadState* state = attach_thread(&builder_.task(e.task), stack_of_thread(e.thread));
    threads_[e.thread] = state;
    task(e.task).thread = state;
    task(e.task).context = state->context;
  }
  void add(const TeamBegin& e) { begin(e.task, e.thread, kind_of(TaskKind::kImplicitTask)); }
  void add(const WorkBegin& e) { begin(e.task, e.thread, kind_of(TaskKind::kLoopChunk)); }

  void add(const End& e) {
    TaskState& state = task(e.task);
    ThreadState& thread = run(e.task);
    if (e.task == 0) return flush_pending(thread);  // the process goes on, and with it the task
    if (state.kind == SpawnKind::kThread) return end_thread(e, thread);
    RuntimeScope scope(thread);
    leave_marks(thread, *state.context->task);
    if (state.included)
      rt().order.end_included(*state.context->task, state.outer_children);
    else
      builder_.add(e);
    leave(thread);
    if (!state.included) rt().order.let_go(*state.context->task);
    memory::destroy(std::exchange(state.context, nullptr));
  }
  void end_thread(const End& e, ThreadState& thread) {
    // Tasks that it ran have been left elsewhere: nothing else is on it.
    thread.active = false;
    flush_pending(thread);
    builder_.add(e);
    detach_thread(thread);  // with the task's context
    std::erase_if(threads_, [&](const auto& entry) { return entry.second == &thread; });
    task(e.task).context = nullptr;
  }

  void add(const OneOf<JoinThread, WaitChildren, GroupOpen, GroupClose, Fork, Join> auto& e) {
    order_event(e.task);
  }
  void add(const DetachThread& e) {
    ThreadState& thread = run(e.task);
    RuntimeScope scope(thread);
    recorder::detached(thread, builder_.task(e.child));
  }
  void add(const BarrierArrive& e) {
    RuntimeScope scope(run(e.task));
    builder_.add(e);
    task(e.task).context->waiting = true;
  }
  void add(const BarrierLeave& e) {
    ThreadState& thread = run(e.task);
    RuntimeScope scope(thread);
    builder_.add(e);
    TaskContext& context = *task(e.task).context;
    describe(builder_.task(e.task), static_cast<TaskKind>(context.task->kind), 0);
    rt().order.let_go(*std::exchange(context.task, &builder_.task(e.task)));
    context.task->thread.store(thread.number, std::memory_order_relaxed);
    context.waiting = false;
  }

  void add(const Signal& e) {
    ThreadState& thread = run(e.task);
    const uptr at = address_of_object(e.object);
    if (e.object / kObjects == 1) return release_atomically(at, e.replace);
    RuntimeScope scope(thread);
    publish(thread, at, SyncTable::kOther, e.replace);
  }
  void add(const Await& e) {
    ThreadState& thread = run(e.task);
    const uptr at = address_of_object(e.object);
    if (e.object / kObjects == 1) return acquire_atomically(at);
    if (e.object / kObjects == 2 && !has_news(thread, at, SyncTable::kOther)) return;
    RuntimeScope scope(thread);
    await(thread, at, SyncTable::kOther);
  }
  void add(const Acquire& e) {
    ThreadState& thread = run(e.task);
    RuntimeScope scope(thread);
    acquire_lock(thread, address_of_lock(e.lock), LockKind::kMutex,
                 e.write ? order::Mode::kWrite : order::Mode::kRead, {.waits = !e.tries});
  }
  void add(const Release& e) {
    ThreadState& thread = run(e.task);
    RuntimeScope scope(thread);
    release_lock(thread, address_of_lock(e.lock), e.write ? order::Mode::kWrite : order::Mode::kRead);
  }
  void add(const Bind& e) { claim(run(e.task), race::kAsked); }

  void add(const Access& e) {
    ThreadState& thread = run(e.task);
    enter_call(task(e.task), call_of(e.site));
    if (thread.quiescent) quiescent_since_ = thread.marks_stamped;
    const bool shares = thread.sets.read_stamp != thread.sets.stamp;
    observed_.touches[now_] = {thread.strand, thread.marks_stamped, thread.marks_stamped == quiescent_since_,
                               shares ? thread.sets.read_stamp | thread.number : 0};
    observed_.steps[now_] = annotated::step_number(*thread.context);
    if (e.write || form_of(e.site) != Form::kCompound)
      access(kData + e.address, e);  // its write tells of both
  }
  // Calls of one function in a row are one call.
  void enter_call(TaskState& state, u32 call) {
    if (state.call == call) return;
    if (state.call != kNoCall) leave_function();
    enter_function(call);
    state.call = call;
  }

  void add(const NewMemory& e) {
    TaskState& state = task(e.task);
    ThreadState* thread = state.context && !state.context->waiting ? &run(e.task) : rt().initial;
    set_self(thread);
    new_memory(kData + e.address, e.size);
    annotate_again(e.address & ~u64{7}, (e.address + e.size + 7) & ~u64{7});
  }

  void annotate_all() {
    set_self(rt().initial);
    annotated_ = annotated_in(history_).locations;
    for (const engine::AddressRange& range : annotated_) say_atomic(kData + range.address, range.size);
  }
  // New memory means nothing yet.
  void annotate_again(u64 begin, u64 end) {
    for (const engine::AddressRange& range : annotated_) {
      const u64 from = std::max(begin, range.address), to = std::min(end, range.address + range.size);
      if (from < to) say_atomic(kData + from, to - from);
    }
  }

  const History& history_;
  order::OrderBuilder builder_;
  std::vector<TaskState> tasks_;
  std::map<u32, ThreadState*> threads_;
  Observed observed_;
  std::vector<engine::AddressRange> annotated_;
  u32 now_ = 0;
  u32 collect_after_ = when_to_collect(history_);
  u64 quiescent_since_ = 0;  // the last release before the process was last quiescent
  bool bound_ = false;       // some memory may be a thread's own
  bool renews_ = false;      // some memory becomes new
};

void map_arena() {
  static bool mapped = false;
  if (std::exchange(mapped, true)) return;
  void* at = mmap(reinterpret_cast<void*>(kArena), kArenaSize, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  HEDDLE_CHECK(at == reinterpret_cast<void*>(kArena));
}

}  // namespace

Observed drive(const History& history) {
  map_arena();
  return Driver(history).run();
}

void steer() {
  places::stop_at = [](ThreadState& thread, uptr address, usize size, u64 flags, uptr) {
    g_observed->stops.push_back(
        {g_event, address - kData, size, (flags & race::kWrite) != 0, !(flags & race::kPlain)});
    // It stops at some: others see the strand as it is here.
    if (g_event % 2) RuntimeScope scope(thread);
  };
  places::g_any = true;
  mode_changed();
}

void record() { recording::start(); }

// As init() does when it is asked to.
void annotate(bool races_too) {
  Options& options = rt().options;
  options.check_atomicity = g_compounds_are_two = true;
  options.check_races = races_too;
  annotated::prepare();
  rt().only_annotated = annotated::only_what_is_annotated();
}

u32 call_of_stack(StackId stack) {
  uptr pcs[2];
  return rt().stacks.unwind(stack, pcs, 2) == 2 ? call_of_function(pcs[1]) : ~u32{0};
}

}  // namespace heddle::oracle

// The linker leads calls of raw_log::race and raw_log::violation here (CMakeLists.txt): nothing in the program need ask
// whether somebody listens.
namespace heddle {
extern "C" ThreadState::Reported&
__wrap__ZN6heddle7raw_log4raceERNS_11ThreadStateEmjRKNS_4race6AccessES6_NS3_8EvidenceEPKc(
    ThreadState&, uptr block, u32 granules, const race::Access& earlier, const race::Access& now,
    race::Evidence evidence, const char* unless) {
  oracle::g_observed->reports.push_back(
      {block - oracle::kData, granules, earlier, now, evidence, unless != nullptr});
  // Another one each time: what raced before is not only counted again, but reported.
  static ThreadState::Reported reported;
  ++reported.sites;
  return reported;
}
extern "C" void __wrap__ZN6heddle7raw_log9violationERKNS0_9ViolationE(const raw_log::Violation& found) {
  oracle::g_observed->violations.push_back(
      {found.granule - oracle::kData, found.first, found.intruder, found.last});
}
}  // namespace heddle
