#include "runtime/runtime.hpp"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/check.hpp"
#include "base/handlers.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "control/strategy.hpp"
#include "runtime/annotated/watched.hpp"
#include "runtime/controlled/fork_server.hpp"
#include "runtime/controlled/pauses.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/controlled/replay.hpp"
#include "runtime/locks/deadlocks.hpp"
#include "runtime/locks/standing.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/shadow/constants.hpp"
#include "runtime/state/code_classes.hpp"
#include "runtime/state/thread_list.hpp"

// `heddle run` looks for this symbol to tell a program built with Heddle from any other.
extern "C" __attribute__((visibility("default"))) const int __heddle_runtime_version = 1;

namespace heddle {

Runtime* g_runtime = nullptr;
void (*before_the_end)() = nullptr;
__thread ThreadState* t_self __attribute__((tls_model("initial-exec"))) = nullptr;
__thread ThreadState* t_all_accesses __attribute__((tls_model("initial-exec"))) = nullptr;
bool g_compounds_are_two = false;

void set_self(ThreadState* thread) {
  t_self = thread;
  t_all_accesses = g_runtime->only_annotated ? nullptr : thread;
}

const char* name(TaskKind kind) {
  switch (kind) {
    case TaskKind::kInitialThread:
      return "initial thread";
    case TaskKind::kThread:
      return "thread";
    case TaskKind::kImplicitTask:
      return "implicit task";
    case TaskKind::kExplicitTask:
      return "explicit task";
    case TaskKind::kLoopChunk:
      return "loop chunk";
    case TaskKind::kSection:
      return "section";
    case TaskKind::kSingle:
      return "single";
    case TaskKind::kTaskloopTask:
      return "taskloop task";
    case TaskKind::kInitialTeamTask:
      return "initial task of a team";
    case TaskKind::kTargetTask:
      return "target task";
    case TaskKind::kAsync:
      return "async task";
    case TaskKind::kFuture:
      return "future task";
    case TaskKind::kForallIteration:
      return "iteration of forall";
    case TaskKind::kForallGroup:
      return "group of iterations of forall";
    case TaskKind::kForasyncIteration:
      return "iteration of forasync";
    case TaskKind::kForasyncGroup:
      return "group of iterations of forasync";
    case TaskKind::kPosted:
      return "posted task";
    case TaskKind::kTbbTask:
      return "task run";
    case TaskKind::kTbbFor:
      return "iteration of parallel_for";
    case TaskKind::kTbbForEach:
      return "iteration of parallel_for_each";
    case TaskKind::kTbbReduce:
      return "part of parallel_reduce";
    case TaskKind::kTbbScan:
      return "part of parallel_scan";
    case TaskKind::kTbbInvoke:
      return "function of parallel_invoke";
    case TaskKind::kTbbSort:
      return "part of parallel_sort";
    case TaskKind::kTbbPipeline:
      return "filter of parallel_pipeline";
    case TaskKind::kTbbEnqueued:
      return "task enqueued";
    case TaskKind::kTbbFlow:
      return "task of a flow graph";
  }
  return "task";
}

namespace {

// Registered first, so it runs after all that the program does at its end. If exit is called, or main returns, while somebody is here
// already, both wait: whoever goes on ends the process.
void end_process(void*) {
  static bool over = false;
  if (over) return;
  if (control::active()) {
    at_exit(end_process);
    control::wait_for_the_rest();
    over = true;
  }
  raw_log::close("exit");
}

}  // namespace

void init() {
  static bool started = false;  // the first caller is the loader or a constructor: one thread
  if (started) return;
  started = true;
  alignas(Runtime) static char storage[sizeof(Runtime)];
  Runtime* runtime = new (storage) Runtime;
  runtime->options.parse(environment("HEDDLE_OPTIONS"));
  if (runtime->options.serial) {
    control::start(runtime->options.threads);
    replay::attach();
  }
  memory::set_limit(runtime->options.memory_limit_mb << 20);
  on_fatal = [](const char* message) {
    t_self = t_all_accesses =
        nullptr;  // whatever is called from here on is not the program's, and may need a lock that we hold
    raw_log::warning(message);
    raw_log::close("internal");
  };
  control::on_stall = [](control::Stall kind) {
    if (ThreadState* thread = self()) thread->active = false;
    raw_log::stall(kind);
    raw_log::close("stall");
    constexpr long kExitCode = 66;
    system_call(SYS_exit_group, kExitCode);
  };
  g_runtime = runtime;
  code::load();
  constants::find();
  runtime->explored = fork_server::attach();
  if (runtime->explored) runtime->stacks.expect_few();
  runtime->recording = runtime->explored || recorder::open();
  runtime->order.set_listener(recorder::listener());
  raw_log::open();
  if (runtime->options.check_atomicity) watched::prepare();
  g_compounds_are_two = runtime->options.check_atomicity || (runtime->recording && !runtime->explored);
  // Under the verification runtime, whoever reads memory again and again must be noticed, whatever memory it is.
  runtime->only_annotated = runtime->options.check_atomicity && watched::only_what_is_annotated() &&
                            !runtime->explored && !runtime->options.serial && !places::g_any;
  if (runtime->options.check_deadlock) {
    if (!runtime->recording) deadlocks::start();
    runtime->creations = memory::make<CreationCounts>();
  }
  order::Task* main_task = runtime->order.make_root();
  describe(*main_task, TaskKind::kInitialThread, 0);
  runtime->initial = attach_thread(main_task);
  pauses::attach();
  standing::start();
  at_exit(end_process);
}

// --- strands ---------------------------------------------------------------------------------------------------------

namespace {

// Thirty million strands on one thread: what older stamps mean must be forgotten before they are used again.
void start_stamps_again(ThreadState& thread) {
  for (u32 slot = 0; slot < AccessSets::kBlocks; ++slot) thread.sets.blocks[slot].tag = 0;
  for (ThreadState::OrderCache& entry : thread.order_cache) entry = {};
  for (Verdict& verdict : thread.verdicts) verdict.stamp = 0;
  thread.stamp = thread.order_stamp = thread.marks_stamp = 1;
}

// Marks would hide accesses: in blocks that became watched since, and in another step or region.
HEDDLE_NOINLINE void forget_marks_of_watched(ThreadState& thread) {
  if (const u64 unit = watched::unit_of(*thread.context); thread.watched_unit != unit) {
    thread.watched_unit = unit;
    thread.marks_stamped = 0;
  }
  const u32 version = watched::g_version.load(std::memory_order_acquire);
  if (thread.watched_version == version) return;
  thread.watched_version = version;
  __builtin_memset(static_cast<void*>(thread.filter), 0, sizeof(FilterEntry) * ThreadState::kFilter);
  thread.marks_stamped = 0;
}

}  // namespace

void refresh(ThreadState& thread) {
  const TaskContext* context = thread.context;
  HEDDLE_CHECK(thread.sets.dirty_count == 0);  // too late to judge anything: the strand is not what it was
  if (!running(thread) || thread.inside || thread.ignore || !g_runtime->enabled ||
      !(g_runtime->options.races || thread.stream)) {
    thread.active = false;
    thread.strand = thread.marked = thread.sets.stamp = 0;
    return;
  }
  if (thread.stream) {  // nothing is known, so every access comes to the slow path
    thread.strand = thread.marked = thread.sets.stamp = 0;
    // A history has everything; an exploration needs only what something else may be parallel to.
    thread.alone = g_runtime->explored && g_runtime->order.alone(*context->task);
    thread.active = true;
    return;
  }
  if (HEDDLE_UNLIKELY(watched::g_any)) forget_marks_of_watched(thread);
  thread.strand = race::strand_word(context->task->id, context->task->now);
  thread.what = race::what_word(0, context->lockset, 0, context->claims);
  thread.marked = race::strand_word(context->task->id, context->task->live->told_at);
  if (thread.strand != thread.stamped || thread.marked != thread.marks_stamped) {
    thread.stamped = thread.strand;
    const u64 knowledge = u64{context->task->id} << 32 | context->task->learned_at;
    if (knowledge != thread.order_stamped) {
      thread.order_stamped = knowledge;
      ++thread.order_stamp;
    }
    if (++thread.stamp >= AccessSets::kLastStamp) start_stamps_again(thread);
  }
  if (thread.marked != thread.marks_stamped) {
    thread.marks_stamped = thread.marked;
    thread.marks_stamp = thread.stamp;
  }
  thread.sets.stamp = u64{thread.marks_stamp} << AccessSets::kNumberBits;
  // What the filter knows is from before the region.
  if (HEDDLE_UNLIKELY(watched::g_any) && watched::in_region(*context)) thread.marked = 0;
  thread.alone = g_runtime->order.alone(*context->task);
  thread.active = true;
}

// --- threads ---------------------------------------------------------------------------------------------------------

namespace {

constexpr u32 kUsualThreads = 8;  // where there are more than processors, most of them idle

FilterEntry* make_filter() {
  return static_cast<FilterEntry*>(memory::map(ThreadState::kFilter * sizeof(FilterEntry)));
}
// What the strand has touched.
void make_tables(ThreadState& thread) {
  thread.sets.allocate(!thread.stream && thread.number <= kUsualThreads);
  thread.filter = make_filter();
}
void free_tables(ThreadState& thread) {
  thread.sets.release();
  memory::unmap(thread.filter, ThreadState::kFilter * sizeof(FilterEntry));
}

// Where accesses are recorded nothing is ever found there: the same empty tables serve all such threads. Never written, so that a huge page
// of zeros, which costs nothing, is all that is looked at.
struct EmptyTables {
  SpinLock lock;
  AccessSets sets;
  FilterEntry* filter = nullptr;
} g_empty;

void share_tables(ThreadState& thread) {
  prepare_recorded_threads();
  thread.sets = g_empty.sets;
  thread.filter = g_empty.filter;
}

// A thread that has ended leaves its state and its tables for the next one: their pages are there, and what is in the caches is still
// true. What the strands touched is told from what they will touch by the stamps, which go on.
struct SpareState {
  SpareState* next;
  void* state;
  AccessSets sets;
  FilterEntry* filter;
  u32 stamp, order_stamp;
};
SpinLock g_spare_lock;
SpareState* g_spare = nullptr;
u32 g_spares = 0;

ThreadState* take_state() {
  SpinGuard guard(g_spare_lock);
  SpareState* spare = g_spare;
  if (!spare) return make_thread_state();
  g_spare = spare->next;
  --g_spares;
  auto* thread = new (spare->state) ThreadState;
  thread->sets = spare->sets;
  thread->filter = spare->filter;
  thread->stamp = spare->stamp;
  thread->order_stamp = spare->order_stamp;
  memory::destroy(spare);
  return thread;
}
// Those of recorded threads have no tables of their own, and cost little.
bool keep_state(ThreadState& thread, bool recorded) {
  SpinGuard guard(g_spare_lock);
  if (!recorded && g_spares == kUsualThreads) return false;
  ++g_spares;
  g_spare = memory::make<SpareState>(g_spare, &thread, thread.sets, thread.filter, thread.stamp,
                                     thread.order_stamp);
  thread.~ThreadState();
  return true;
}

}  // namespace

void prepare_recorded_threads() {
  SpinGuard guard(g_empty.lock);
  if (g_empty.filter) return;
  g_empty.sets.allocate(true);
  g_empty.filter = make_filter();
}

ThreadState* attach_thread(order::Task* task, MachineStack stack) {
  ThreadState* thread = take_state();
  thread->number = g_runtime->threads.fetch_add(1, std::memory_order_relaxed) + 1;
  constexpr u32 kFrames = 512;  // grows when a program recurses deeper
  thread->frames = thread->top = make_frames(kFrames);
  thread->frames_end = thread->frames + kFrames;
  thread->stops_at_places = places::g_any;
  watched::limit_frames(*thread);
  if (stack.high == 0) stack = find_machine_stack();
  thread->stack_low = stack.low;
  thread->stack_high = stack.high;
  thread->stream = recorder::start(*thread);
  if (g_runtime->explored) {
    thread->most_sites = ThreadState::kFewSites;
    if (g_runtime->initial) {
      thread->sites = g_runtime->initial->sites;
      thread->syncs = g_runtime->initial->syncs;
    }
  }
  if (!thread->filter) {
    if (thread->stream)
      share_tables(*thread);
    else
      make_tables(*thread);
  }
  if (task) {
    thread->context = memory::make<TaskContext>();
    thread->context->task = task;
    task->thread.store(thread->number, std::memory_order_relaxed);
    // An earlier thread's stack may have been here.
    if (task->parent) {
      recorder::begun(*thread, *task);
      recorder::new_memory(*thread, thread->stack_low, thread->stack_high - thread->stack_low);
      new_memory(thread->stack_low, thread->stack_high - thread->stack_low);
    }
  }
  thread->os_id = static_cast<int>(system_call(SYS_gettid));
  thread_list::add(*thread);
  set_self(thread);
  refresh(*thread);
  return thread;
}

void detach_thread(ThreadState& thread) {
  thread.active = false;
  thread_list::remove(thread);
  set_self(nullptr);
  const bool recorded = thread.stream != nullptr;
  if (recorded) {
    recorder::finish(thread.stream);
  } else {
    raw_log::count_reported(thread);
    for (Verdict& verdict : thread.verdicts) {
      if (!verdict.now) continue;
      race::release(verdict.before);
      race::release(verdict.after);
      verdict = {};
    }
  }
  free_frames(thread.frames, static_cast<usize>(thread.frames_end - thread.frames));
  while (TaskContext* context = thread.context) {
    thread.context = context->outer;
    memory::destroy(context);
  }
  if (!keep_state(thread, recorded)) {
    free_tables(thread);
    thread.~ThreadState();
    memory::release(&thread, sizeof thread);
  }
  memory::thread_ends();
}

// --- tasks -----------------------------------------------------------------------------------------------------------

void describe(order::Task& task, TaskKind kind, StackId created_at) {
  task.kind = static_cast<u8>(kind);
  task.created_at = created_at;
  if (HEDDLE_UNLIKELY(g_runtime->creations != nullptr)) g_runtime->creations->created(task);
}

namespace {

// What lies below belongs to frames that are not in use when `top` is the innermost call.
uptr lowest_alive(const ThreadState& thread, const Frame* top) {
  return top > thread.frames ? top[-1].frame_address : thread.stack_high;
}

// Frames of earlier tasks on this stack are gone: what they touched there is not what the next frames will be.
void forget_dead_stack(ThreadState& thread) {
  // A task may run on a stack that is not the thread's, while what has left that is asleep, not dead.
  const uptr here = reinterpret_cast<uptr>(__builtin_frame_address(0));
  if (here < thread.stack_low || here >= thread.stack_high) return;
  const uptr alive = lowest_alive(thread, thread.top);
  if (thread.stack_touched >= alive || alive > thread.stack_high) return;
  new_memory_between_strands(thread.stack_touched, alive - thread.stack_touched);
  thread.stack_touched = alive;
  thread.marks_stamped = 0;
}

// The calls that a task left the thread in have returned.
bool left_calls_returned(const ThreadState& thread) {
  return thread.left_beyond != ThreadState::kNoneLeft && thread.top <= thread.frames + thread.left_beyond;
}
void expect_no_returns(ThreadState& thread) {
  thread.left_beyond = ThreadState::kNoneLeft;
  watched::limit_frames(thread);
}

}  // namespace

void enter_task(ThreadState& thread, TaskContext& context) {
  forget_dead_stack(thread);
  if (HEDDLE_UNLIKELY(left_calls_returned(thread))) expect_no_returns(thread);
  context.outer = thread.context;
  context.stack_base = static_cast<u32>(thread.top - thread.frames);
  context.task->thread.store(thread.number, std::memory_order_relaxed);
  thread.context = &context;
  refresh(thread);
}

void drop_pending_in_frames(ThreadState& thread) {
  const uptr alive = lowest_alive(thread, thread.frames + thread.context->stack_base);
  if (alive <= thread.stack_high) drop_pending(thread, thread.stack_touched, alive);
}

void leave_task(ThreadState& thread) {
  TaskContext* context = thread.context;
  // An exception leaves calls that it does not tell of. And a part of an untied task may have run inside of a call of
  // an earlier part, which has returned, too.
  Frame* const base = thread.frames + context->stack_base;
  if (thread.top > base) thread.top = base;
  thread.context = context->outer;
  forget_dead_stack(thread);
  refresh(thread);
}

void leave_before_return(ThreadState& thread) {
  TaskContext* context = thread.context;
  if (context->stack_base < thread.left_beyond) thread.left_beyond = context->stack_base;
  watched::limit_frames(thread);
  thread.context = context->outer;
  refresh(thread);
}

void forget_returned_frames(ThreadState& thread) {
  if (!left_calls_returned(thread)) return;
  RuntimeScope scope(thread);
  forget_dead_stack(thread);
  expect_no_returns(thread);
}

// --- synchronisation -------------------------------------------------------------------------------------------------

namespace {

void mark_synced(uptr address) {
  if (Page* page = g_runtime->shadow.page(address)) page->synced.set((address & (kPageSize - 1)) / 8);
}

// Whoever makes a Sync marks the address before: the table, which is all threads', need not be asked about most addresses.
bool is_synced(uptr address) {
  if (HEDDLE_UNLIKELY(!Shadow::covers(address)))
    return true;  // a name, not an address: nothing can be marked
  const Page* page = g_runtime->shadow.find(address);
  return page && page->synced.test((address & (kPageSize - 1)) / 8);
}

// What is at an address, as this thread last found it.
ThreadState::SyncCache& sync_cache(ThreadState& thread, u64 key) {
  return thread.syncs[mix(key) % ThreadState::kSyncCache];
}
Sync* known_sync(ThreadState& thread, uptr address, SyncTable::Space space) {
  const u64 key = SyncTable::key(address, space);
  const auto& entry = sync_cache(thread, key);
  return entry.key == key && entry.epoch == rt().syncs.epoch(address) ? entry.sync : nullptr;
}
Sync* remember_sync(ThreadState& thread, uptr address, SyncTable::Space space, Sync* sync, u32 epoch) {
  const u64 key = SyncTable::key(address, space);
  if (sync) sync_cache(thread, key) = {key, sync, epoch};
  return sync;
}

}  // namespace

Sync& sync_at(ThreadState& thread, uptr address, SyncTable::Space space) {
  if (Sync* sync = known_sync(thread, address, space)) return *sync;
  u32 epoch = rt().syncs.epoch(address);
  mark_synced(address);
  return *remember_sync(thread, address, space, &rt().syncs.get(address, space), epoch);
}
Sync* find_sync(ThreadState& thread, uptr address, SyncTable::Space space) {
  if (Sync* sync = known_sync(thread, address, space)) return sync;
  if (!is_synced(address)) return nullptr;
  u32 epoch = rt().syncs.epoch(address);
  return remember_sync(thread, address, space, rt().syncs.find(address, space), epoch);
}

namespace {

Sync& lock_at(ThreadState& thread, uptr address) { return sync_at(thread, address, SyncTable::kLock); }
Sync* find_lock(ThreadState& thread, uptr address) { return find_sync(thread, address, SyncTable::kLock); }

// Most often it is the only lock that is held.
LocksetId lockset_with(LocksetId held, Sync& sync, HeldLock lock) {
  if (held) return rt().locksets.with(held, lock);
  std::atomic<u32>& alone = sync.alone[lock & 1];
  LocksetId id = alone.load(std::memory_order_relaxed);
  if (!id) {
    id = rt().locksets.with(0, lock);
    alone.store(id, std::memory_order_relaxed);
  }
  return id;
}
LocksetId lockset_without(LocksetId held, Sync& sync, HeldLock lock) {
  return held && held == sync.alone[lock & 1].load(std::memory_order_relaxed)
             ? 0
             : rt().locksets.without(held, lock);
}

}  // namespace

void publish(ThreadState& thread, uptr address, SyncTable::Space space, bool replace) {
  if (!running(thread)) return;
  Sync& sync = sync_at(thread, address, space);
  if (replace)
    rt().order.publish_only(*thread.context->task, sync.object);
  else
    rt().order.publish(*thread.context->task, sync.object);
  refresh(thread);
}

void await(ThreadState& thread, uptr address, SyncTable::Space space) {
  if (!running(thread)) return;
  Sync* sync = find_sync(thread, address, space);
  if (!sync) return;
  rt().order.await(*thread.context->task, sync->object);
  refresh(thread);
}

namespace {

bool is_news(ThreadState& thread, order::SyncObject& object) {
  if (object.names_what_is_known_to(*thread.context->task)) return false;
  SpinGuard guard(object.lock);
  return !rt().order.knows(*thread.context->task, object);
}

// For what changes nothing: looking for something, that is.
template <class Look>
bool look_for_news(ThreadState& thread, uptr address, SyncTable::Space space, Look look) {
  if (!running(thread)) return false;
  const bool was_active = std::exchange(thread.active, false);
  bool news = rt().recording;
  if (!news)
    if (Sync* sync = find_sync(thread, address, space)) news = look(*sync);
  thread.active = was_active;
  return news;
}

order::SyncObject& left_by_readers(Sync& sync) {
  order::SyncObject* object = sync.by_readers.load(std::memory_order_acquire);
  if (object) return *object;
  auto* made = memory::make<order::SyncObject>();
  if (sync.by_readers.compare_exchange_strong(object, made)) return *made;
  memory::destroy(made);
  return *object;
}

}  // namespace

bool has_news(ThreadState& thread, uptr address, SyncTable::Space space) {
  return look_for_news(thread, address, space, [&](Sync& sync) { return is_news(thread, sync.object); });
}

bool has_news_as(ThreadState& thread, uptr address, order::Mode mode) {
  return look_for_news(thread, address, SyncTable::kOther, [&](Sync& sync) {
    if (is_news(thread, sync.object)) return true;
    order::SyncObject* readers =
        mode == order::Mode::kWrite ? sync.by_readers.load(std::memory_order_acquire) : nullptr;
    return readers && is_news(thread, *readers);
  });
}

void publish_as(ThreadState& thread, uptr address, order::Mode mode) {
  if (!running(thread)) return;
  Sync& sync = sync_at(thread, address, SyncTable::kOther);
  rt().order.publish(*thread.context->task,
                     mode == order::Mode::kWrite ? sync.object : left_by_readers(sync));
  refresh(thread);
}

void await_as(ThreadState& thread, uptr address, order::Mode mode) {
  await(thread, address, SyncTable::kOther);
  if (mode == order::Mode::kRead || !running(thread)) return;
  Sync* sync = find_sync(thread, address, SyncTable::kOther);
  order::SyncObject* readers = sync ? sync->by_readers.load(std::memory_order_acquire) : nullptr;
  if (!readers) return;
  rt().order.await(*thread.context->task, *readers);
  refresh(thread);
}

void fence(ThreadState& thread, bool acquires, bool releases) {
  if (!running(thread)) return;
  const order::Index before = thread.context->task->now;
  if (acquires) rt().order.learn(*thread.context->task, thread.acquired_by_relaxed);
  if (releases) thread.released_by_fence = rt().order.snapshot(*thread.context->task);
  thread.context->within_step += thread.context->task->now - before;
  recorder::fence(thread, acquires, releases);
  refresh(thread);
}

void acquire_lock(ThreadState& thread, uptr address, LockKind kind, order::Mode mode, How how) {
  TaskContext* context = thread.context;
  if (!running(thread)) return;
  Sync& sync = lock_at(thread, address);
  HeldLock lock = held(rt().syncs.lock_id(sync, kind), mode == order::Mode::kWrite);
  rt().order.acquire(*context->task, sync.lock, mode);
  ++context->within_step;
  bool outermost = true;
  for (HeldLock other : context->locks) outermost &= other != lock;
  if (outermost) recorder::acquired(thread, lock >> 1, lock & 1, how);
  if (HEDDLE_UNLIKELY(deadlocks::g_on)) deadlocks::acquired(thread, lock, how);
  context->locks.push_back(lock);
  context->lockset = lockset_with(context->lockset, sync, lock);
  if (HEDDLE_UNLIKELY(watched::g_any)) watched::locks_changed(thread);
  refresh(thread);
  if (HEDDLE_UNLIKELY(control::on()) && control::splits_acquisitions()) control::cut();
}

void release_lock(ThreadState& thread, uptr address, order::Mode mode) {
  TaskContext* context = thread.context;
  if (!running(thread)) return;
  Sync* sync = find_lock(thread, address);
  if (!sync) return;
  HeldLock lock = held(sync->lock_id, mode == order::Mode::kWrite);
  u32 others = 0, last = ~0u;
  for (u32 i = 0; i < context->locks.size(); ++i) {
    if (context->locks[i] != lock) continue;
    if (last != ~0u) ++others;
    last = i;
  }
  // Released by a task that did not take it (legal for semaphores used as locks): knowledge is handed over all the same.
  rt().order.release(*context->task, sync->lock, mode);
  ++context->within_step;
  if (others == 0) recorder::released(thread, lock >> 1, lock & 1);
  if (last != ~0u) {
    if (HEDDLE_UNLIKELY(deadlocks::g_on)) deadlocks::released(*context, lock);
    context->locks.erase_swap(last);
    if (others == 0) context->lockset = lockset_without(context->lockset, *sync, lock);
  }
  if (HEDDLE_UNLIKELY(watched::g_any)) watched::locks_changed(thread);
  refresh(thread);
}

void release_lock(ThreadState& thread, uptr address) {
  TaskContext* context = thread.context;
  Sync* sync = running(thread) ? find_lock(thread, address) : nullptr;
  if (!sync) return;
  for (HeldLock lock : context->locks) {
    if (lock >> 1 != sync->lock_id) continue;
    return release_lock(thread, address, lock & 1 ? order::Mode::kWrite : order::Mode::kRead);
  }
  // It passed from one task to another: a history has no words for that.
  if (g_runtime->explored) control::assume(control::Assumption::kOwnLocks);
}

void pass_locks_on(ThreadState& thread, TaskContext& from, TaskContext& to) {
  if (!g_runtime->explored || from.locks.empty()) return;
  TaskContext* const current = thread.context;
  for (u32 i = 0; i < from.locks.size(); ++i) {
    const HeldLock lock = from.locks[i];
    bool again = false;
    for (u32 before = 0; before < i; ++before) again |= from.locks[before] == lock;
    to.locks.push_back(lock);
    if (again) continue;
    // Nobody else has it in between.
    thread.context = &to;
    recorder::acquired(thread, lock >> 1, lock & 1, {.waits = false});
    thread.context = &from;
    recorder::released(thread, lock >> 1, lock & 1);
  }
  thread.context = current;
  to.lockset = from.lockset;
  from.locks.clear();
  from.lockset = 0;
}

void take_turns(ThreadState& thread, TaskContext& context, Turns turns) {
  Sync& sync = lock_at(thread, turns.name);
  const HeldLock lock =
      held(rt().syncs.lock_id(sync, LockKind::kOneThread), turns.mode == order::Mode::kWrite);
  context.turns = turns;
  context.locks.push_back(lock);
  context.lockset = lockset_with(context.lockset, sync, lock);
}

void claim(ThreadState& thread, u64 claims) {
  if (!thread.active || (thread.context->claims & claims) == claims) return;
  RuntimeScope scope(thread);
  thread.context->claims |= claims;
}

u32 times_held(ThreadState& thread, uptr address) {
  TaskContext* context = thread.context;
  Sync* sync = running(thread) ? find_lock(thread, address) : nullptr;
  u32 count = 0;
  if (sync && sync->lock_id)
    for (HeldLock lock : context->locks) count += lock >> 1 == sync->lock_id;
  return count;
}

// --- call stacks -----------------------------------------------------------------------------------------------------

namespace {

StackId extend_cached(ThreadState& thread, StackId caller, uptr pc) {
  auto& entry = thread.known_site(caller, pc);
  if (entry.pc == pc && entry.caller == caller) return entry.site;
  bool made;
  StackId site = rt().stacks.extend(caller, pc, made);
  entry = {pc, caller, site};
  if (made && thread.stream) recorder::record_site(thread, site, caller, pc);
  return site;
}

}  // namespace

StackId current_stack(ThreadState& thread, uptr pc) {
  Frame* base = thread.frames + (thread.context ? thread.context->stack_base : 0);
  // Frames know their number once asked: only what was called since then is new.
  Frame* known = thread.top;
  while (known > base && !known[-1].stack) --known;
  StackId stack = known > base ? known[-1].stack : 0;
  for (; known < thread.top; ++known) stack = known->stack = extend_cached(thread, stack, known->pc);
  return pc ? extend_cached(thread, stack, pc) : stack;
}

}  // namespace heddle
