// Proxies: creation, execution and end of a task.
#include "frontend/tbb/tasks.hpp"

#include "control/control.hpp"
#include "frontend/tbb/continue_nodes.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::tbb {

__thread Proxy* t_proxy __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

Task* execute(Task* task, void* data);
Task* cancel(Task* task, void* data);
void destroy(Task*) {}
constexpr TaskTable kProxyTable{{destroy, destroy}, execute, cancel};

TaskKind kind_by_name(const char* name) {
  if (!starts_with(name, "N3tbb6detail2d")) return TaskKind::kTbbTask;
  name += __builtin_strlen("N3tbb6detail2d1");
  if (starts_with(name, "9start_for"))
    return contains(name, "quick_sort") ? TaskKind::kTbbSort : TaskKind::kTbbFor;
  if (starts_with(name, "12start_reduce") || starts_with(name, "26start_deterministic_reduce"))
    return TaskKind::kTbbReduce;
  if (contains(name, "_scan") || starts_with(name, "9final_sum") || starts_with(name, "8sum_node"))
    return TaskKind::kTbbScan;
  if (starts_with(name, "16function_invoker") || starts_with(name, "19invoke_subroot_task"))
    return TaskKind::kTbbInvoke;
  if (starts_with(name, "12enqueue_task")) return TaskKind::kTbbEnqueued;
  if (contains(name, "for_each") || starts_with(name, "16feeder_item_task") ||
      contains(name, "block_handling_task"))
    return TaskKind::kTbbForEach;
  if (contains(name, "task_bypass") || contains(name, "graph_task")) return TaskKind::kTbbFlow;
  return TaskKind::kTbbTask;
}

constinit ByClass g_kinds;

}  // namespace

TaskKind kind_of(const Task& task) { return static_cast<TaskKind>(g_kinds.get(&task, kind_by_name)); }

bool is_proxy(const Task* task) { return task->table == &kProxyTable; }

Proxy* make_proxy(ThreadState& thread, Task* real, uptr caller, Role role) {
  auto* proxy = memory::make<Proxy>();
  proxy->table = &kProxyTable;
  proxy->traits = real->traits;
  for (u64& word : proxy->reserved) word = 0;
  proxy->real = real;
  auto* context = memory::make<Context>();
  proxy->context = context;
  context->proxy = proxy;
  const TaskKind kind = kind_of(*real);
  order::Task& parent = *thread.context->task;
  // All tasks of a loop are created where the loop began; so are those that a task returns to run next.
  const bool split = role == Role::kOther && in_tree(kind) && parent.kind == static_cast<u8>(kind);
  const StackId made_at = split || !caller ? parent.created_at : current_stack(thread, caller);
  context->grouped = split || role == Role::kRoot;
  context->task = split                 ? spawn_in_tree(thread, kind, *context)
                  : role == Role::kRoot ? rt().order.spawn(parent)
                                        : rt().order.spawn_thread(parent);
  describe(*context->task, kind, made_at);
  if (kind == TaskKind::kTbbFlow) learn_from_putters(*context->task, *real);
  return proxy;
}

Task* in_place_of(Task* task, uptr caller) {
  ThreadState* thread = participant();
  if (!thread || is_proxy(task) || is_runtime_system(origin_of(caller))) return task;
  RuntimeScope scope(*thread);
  share_stack(*thread, address_of(__builtin_frame_address(0)));
  return make_proxy(*thread, task, caller);
}

void leave_down_to(ThreadState& thread, TaskContext* context) { thread.context = context; }

void forget_foreign_stack(const ThreadState& thread, uptr frame) {
  constexpr usize kDeep = 64 << 10;  // more than most tasks use, and less than any stack has
  if (frame < thread.stack_low || frame >= thread.stack_high)
    new_memory_between_strands(frame - kDeep, kDeep);
}

void end(ThreadState& thread, Context* context) {
  if (context->proxy) context->proxy->context = nullptr;
  rt().order.end(*context->task);
  if (!context->grouped) ended(thread, *context);
  memory::destroy(context);
}

namespace {

// In the function with this frame, which will call the task.
void begin(ThreadState& thread, Proxy& proxy, void* frame) {
  RuntimeScope scope(thread);
  proxy.frames_below = address_of(frame);
  forget_foreign_stack(thread, proxy.frames_below);
  proxy.depth = static_cast<usize>(thread.top - thread.frames);
  recorder::begun(thread, *proxy.context->task);
  enter_task(thread, *proxy.context, proxy.frames_below);
}

Task* finish(Proxy* proxy, Task* next) {
  t_proxy = proxy->outer;
  ThreadState* thread = self();
  if (Context* context = proxy->context; thread && context) {
    RuntimeScope scope(*thread);
    leave_down_to(*thread, context);
    if (next && !is_proxy(next)) next = make_proxy(*thread, next, 0);
    leave_task(*thread);
    end(*thread, context);
  }
  if (thread && proxy->depth) thread->top = thread->frames + proxy->depth;
  if (thread && !t_proxy) no_task_left(*thread);
  memory::destroy(proxy);
  return next;
}

// A task that throws leaves it without finish(): the library calls cancel() next.
Task* execute(Task* task, void* data) {
  auto* proxy = static_cast<Proxy*>(task);
  proxy->outer = t_proxy;
  t_proxy = proxy;
  if (ThreadState* thread = self(); thread && proxy->context)
    begin(*thread, *proxy, __builtin_frame_address(0));
  Task* next = proxy->real->table->execute(proxy->real, data);
  return finish(proxy, next);
}

Task* cancel(Task* task, void* data) {
  if (control::explores()) control::assume(control::Assumption::kOneOrder);
  auto* proxy = static_cast<Proxy*>(task);
  ThreadState* thread = self();
  bool entered = false;
  for (TaskContext* at = thread ? thread->context : nullptr; at; at = at->outer)
    entered |= at == proxy->context;
  if (!proxy->context) {
    // It has ended, or is not observed.
  } else if (entered) {
    RuntimeScope scope(*thread);
    leave_down_to(*thread, proxy->context);
    thread->top = thread->frames + proxy->context->stack_base;
  } else if (thread) {
    proxy->outer = t_proxy;
    begin(*thread, *proxy, __builtin_frame_address(0));
  }
  t_proxy = proxy;
  Task* next = proxy->real->table->cancel(proxy->real, data);
  return finish(proxy, next);
}

}  // namespace
}  // namespace heddle::tbb
