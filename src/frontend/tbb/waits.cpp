// Waits for tasks. A wait_context counts the tasks of a wait; its address is its name. A task that ends releases
// there before it counts down, and the waiting task acquires.
//
// Most often the parent waits for children that do nothing after their release: then it is a join of the tree, which
// needs no vector clocks. So the release is kept as it is, and becomes a clock only if another task waits, or the
// releasing task continues.
#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "frontend/protected_call.h"
#include "frontend/tbb/controlled_tasks.hpp"
#include "frontend/tbb/tasks.hpp"

namespace heddle::tbb {

// The end of a task.
struct Telling {
  order::EndSnapshot left;
  bool last = false;                        // its last operation
  bool of_context = true, of_state = true;  // its holders
  Telling* next = nullptr;
};

struct WaitState {
  order::SyncObject object;  // released by others than tasks that end
  // Guarded by its lock, as are these.
  Telling* tellings = nullptr;              // the newest first
  const order::Task* awaited_by = nullptr;  // the task that has waited since, and acquired all,
  order::Index awaited_at = 0;              // from this strand on
  // References of the table, of waiters, of tasks that released to it; guarded by g_counts, as is the rest.
  u32 references = 1;
  u32 waits = 0;  // that have ended
  u32 ended = 0;  // tasks that no wait has joined since

  ~WaitState() { forget_tellings(*this); }
  static void forget_tellings(WaitState& state);
  static void give_up(Telling& telling, bool Telling::*holder) {
    telling.*holder = false;
    if (!telling.of_context && !telling.of_state) memory::destroy(&telling);
  }
};

void WaitState::forget_tellings(WaitState& state) {
  while (Telling* telling = state.tellings) {
    state.tellings = telling->next;
    give_up(*telling, &Telling::of_state);
  }
}

namespace {

struct WaitTable {
  SpinLock lock;
  HashMap<WaitState*> map;
};
constexpr u32 kShards = 64;
Global<WaitTable[kShards]> g_waits;

WaitTable& table_of(uptr wait_context) { return (*g_waits)[mix(wait_context) % kShards]; }
// States are few and short-lived, and outlive their table entries: one lock for the counts of all.
SpinLock g_counts;

void drop(WaitState* state) {
  g_counts.lock();
  const bool last = --state->references == 0;
  g_counts.unlock();
  if (last) memory::destroy(state);
}

WaitState* hold(uptr wait_context, bool make) {
  WaitTable& table = table_of(wait_context);
  SpinGuard guard(table.lock);
  WaitState* state = nullptr;
  if (WaitState** known = table.map.find(wait_context))
    state = *known;
  else if (make)
    table.map[wait_context] = state = memory::make<WaitState>();
  if (!state) return nullptr;
  SpinGuard counts(g_counts);
  ++state->references;
  return state;
}

}  // namespace

namespace {

void give_up_telling(Context& context) {
  if (!context.telling) return;
  SpinGuard guard(context.told->object.lock);
  WaitState::give_up(*std::exchange(context.telling, nullptr), &Telling::of_context);
}

void tell(ThreadState& thread, WaitState& state, Context& own) {
  give_up_telling(own);
  order::Task& task = *own.task;
  auto* telling = memory::make<Telling>();
  telling->left = rt().order.end_snapshot(task);
  SpinGuard guard(state.object.lock);
  // A child that began after its parent had waited: acquiring from the child's end covers all that the parent waited
  // for.
  if (state.awaited_by && state.awaited_by == task.parent && task.spawned_at >= state.awaited_at) {
    WaitState::forget_tellings(state);
    state.object.knowledge = {};
    state.object.changed();
  }
  state.awaited_by = nullptr;
  telling->next = std::exchange(state.tellings, telling);
  own.telling = telling;
  own.told_touches = thread.touches;
}

void learn_all(order::Task& owner, WaitState& state) {
  SpinGuard guard(state.object.lock);
  for (Telling* telling = state.tellings; telling; telling = telling->next) {
    order::Task& task = *telling->left.task;
    if (telling->last && task.parent == &owner)
      rt().order.join_awaited(owner, task);
    else
      rt().order.acquire_snapshot(owner, telling->left);
  }
  state.awaited_by = &owner;
  state.awaited_at = owner.now;
}

}  // namespace

void told(ThreadState& thread, uptr wait_context) {
  if (!running(thread)) return;
  RuntimeScope scope(thread);
  WaitState* state = hold(wait_context, true);
  Context* own = t_proxy ? t_proxy->context : nullptr;
  const bool ends = own && own == thread.context && !own->grouped;
  if (ends && !rt().recording)
    tell(thread, *state, *own);
  else
    rt().order.publish(*thread.context->task, state->object);
  if (!ends) return drop(state);
  if (own->told) drop(own->told);
  own->told = state;
  SpinGuard guard(g_counts);
  own->released_at = state->waits;
}

// A task that waited has continued, or will find it here.
void ended(ThreadState& thread, Context& context) {
  WaitState* state = context.told;
  if (!state) return;
  if (Telling* telling = context.telling) {
    SpinGuard guard(state->object.lock);
    telling->last = context.task->now == telling->left.at + 1 && thread.touches == context.told_touches;
  }
  give_up_telling(context);
  bool awaited;
  {
    SpinGuard guard(g_counts);
    awaited = state->waits != context.released_at;
    if (!awaited) ++state->ended;
  }
  if (awaited) rt().order.threads_awaited(1);
  drop(state);
}

void forget_wait(uptr wait_context) {
  WaitState* state = nullptr;
  {
    WaitTable& table = table_of(wait_context);
    SpinGuard guard(table.lock);
    if (WaitState** known = table.map.find(wait_context)) {
      state = *known;
      table.map.erase(wait_context);
    }
  }
  if (state) drop(state);
}

namespace {

// One call that waits, from before to after; an exception may end it.
struct Wait {
  Task* task;  // null: nothing to run first
  void *task_context, *wait_context, *waiting_context;
  TaskContext* context = nullptr;  // that waits; null: none that is observed
  Proxy* outer = nullptr;
  usize depth = 0;       // of calls, in that task
  bool grouped = false;  // all that it waits for is in a group
  bool once = false;     // no other wait will follow
  bool controlled = false;
  uptr caller = 0;
};

void prepare(Wait& wait, uptr caller) {
  wait.caller = caller;
  wait.controlled = control::active() && !is_runtime_system(origin_of(caller));
  if (wait.controlled) prepare_actors();
  ThreadState* thread = participant();
  if (!thread) return;
  RuntimeScope scope(*thread);
  wait.context = thread->context;
  wait.outer = t_proxy;
  wait.depth = static_cast<usize>(thread->top - thread->frames) - wait.context->stack_base;
  if (!wait.task || is_proxy(wait.task) || is_runtime_system(origin_of(caller))) return;
  const TaskKind kind = kind_of(*wait.task);
  wait.grouped = in_tree(kind);
  wait.once = kind != TaskKind::kTbbTask;  // that would be of a task group
  if (wait.grouped) rt().order.open_group(*wait.context->task);
  wait.task = make_proxy(*thread, wait.task, caller, wait.grouped ? Role::kRoot : Role::kOther);
}

void after(void* data) {
  auto& wait = *static_cast<Wait*>(data);
  ThreadState* thread = self();
  if (!wait.context || !thread) return;
  RuntimeScope scope(*thread);
  t_proxy = wait.outer;
  leave_down_to(*thread, wait.context);
  waited(*thread, wait.context);
  thread->top = thread->frames + wait.context->stack_base + wait.depth;
  order::Task& owner = *wait.context->task;
  if (wait.grouped) rt().order.close_group(owner);
  const uptr place = address_of(wait.wait_context);
  if (WaitState* state = hold(place, false)) {
    rt().order.await(owner, state->object);
    learn_all(owner, *state);
    u32 joined;
    {
      SpinGuard guard(g_counts);
      ++state->waits;
      joined = std::exchange(state->ended, 0);
    }
    if (joined) rt().order.threads_awaited(joined);
    drop(state);
  }
  if (wait.once) forget_wait(place);
}

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;

HEDDLE_TBB(void, wait, "4waitERNS0_2d112wait_contextERNS2_18task_group_contextE", void* wait_context,
           void* context) {
  tbb::Wait wait{nullptr, nullptr, wait_context, context};
  tbb::prepare(wait, HEDDLE_CALLER);
  heddle_protected_call(
      [](void* data) {
        auto& call = *static_cast<tbb::Wait*>(data);
        if (call.controlled) tbb::wait_for_tasks(call.wait_context, call.caller);
        real_wait(call.wait_context, call.waiting_context);
      },
      &wait, tbb::after);
}

HEDDLE_TBB(void, execute_and_wait,
           "16execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_",
           tbb::Task* task, void* task_context, void* wait_context, void* waiting_context) {
  tbb::Wait wait{task, task_context, wait_context, waiting_context};
  tbb::prepare(wait, HEDDLE_CALLER);
  heddle_protected_call(
      [](void* data) {
        auto& call = *static_cast<tbb::Wait*>(data);
        if (call.controlled) {
          tbb::run_here(call.task, call.task_context);
          tbb::wait_for_tasks(call.wait_context, call.caller);
          return real_wait(call.wait_context, call.waiting_context);
        }
        real_execute_and_wait(call.task, call.task_context, call.wait_context, call.waiting_context);
      },
      &wait, tbb::after);
}

// A new task group may reuse the address of another: its wait_context is before its context.
HEDDLE_TBB(void, initialize_context, "10initializeERNS0_2d118task_group_contextE", void* context) {
  constexpr uptr kWaitContextSize = 16;
  if (self()) tbb::forget_wait(address_of(context) - kWaitContextSize);
  real_initialize_context(context);
}
