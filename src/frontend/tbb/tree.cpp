// The tree of tasks of parallel_for, parallel_reduce and their relatives.
//
// A task that has a range splits it, and passes the right half on as a new task; this may happen again, to either.
// The caller of a parallel_for joins all its tasks, and no other task does.
//
// The two halves of a split of a reduction are joined as well: the one that ends last joins the results, and
// continues upwards. Which one that is depends on the schedule, its work does not: it is the left half's continuation
// after joining the right one. So a half that only has to arrive leaves the thread; a right half ends there; and the
// last to arrive continues as the left half.
//
//   left   ──┬── works ── arrives                    (the right half was faster: the left half continues at once)
//            └── right half works ── arrives, ends   (otherwise its thread continues, as the left half)
#include "frontend/tbb/tasks.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::tbb {

namespace {

// The task only has to return from its current calls.
void leave_with_calls_open(ThreadState& thread) {
  Frame* top = thread.top;
  leave_task(thread);
  thread.top = top;
}

}  // namespace

order::Task* spawn_in_tree(ThreadState& thread, TaskKind kind, Context& child) {
  order::Task& parent = *thread.context->task;
  if (kind != TaskKind::kTbbReduce) return rt().order.spawn_beside(parent);
  auto& left = static_cast<Context&>(*thread.context);
  child.left = &left;
  ++left.splits;
  rt().order.open_group(parent);
  return rt().order.spawn(parent);
}

void released_in_tree(ThreadState& thread) {
  Proxy* proxy = t_proxy;
  if (!proxy || !proxy->context) return;
  RuntimeScope scope(thread);
  Context* context = proxy->context;
  leave_down_to(thread, context);
  leave_with_calls_open(thread);
  if (context->splits) {
    proxy->arrived = context;
    proxy->context = nullptr;
    context->proxy = nullptr;
  } else {
    proxy->arrived = context->left;
    end(thread, context);
  }
}

void acquired_in_tree(ThreadState& thread) {
  Proxy* proxy = t_proxy;
  if (!proxy || !proxy->arrived) return;
  RuntimeScope scope(thread);
  Context* left = std::exchange(proxy->arrived, nullptr);
  left->proxy = proxy;
  proxy->context = left;
  recorder::moved_here(thread);
  enter_task(thread, *left, proxy->frames_below);
  left->stack_base = static_cast<u32>(proxy->depth);  // its current calls are the other half's
  --left->splits;
  rt().order.close_group(*left->task);
}

}  // namespace heddle::tbb
