// A task of oneTBB as a task of the order.
//
// The library gets a proxy in place of each task: it enters the task's context, calls the task, and leaves. A task
// that is returned to run next gets a proxy, too. There are two kinds of joins:
//  - the tasks of a loop or a reduction are joined by the call that waits for all of them: a group of the order.
//    Those of a reduction also join each other in pairs, on the way up the tree: each split is a group of the left
//    half's (tree.cpp);
//  - all others (task groups, flow graphs, parallel_invoke, ...) signal their end (wait_context), and the waiting
//    task acquires: signals (waits.cpp).
#pragma once

#include "frontend/tbb/abi.hpp"

namespace heddle::tbb {

struct Proxy;
struct WaitState;
struct Telling;

struct Context : TaskContext {
  Proxy* proxy = nullptr;      // that currently runs it
  Context* left = nullptr;     // of the right half of a split of a reduction
  u32 splits = 0;              // of a reduction: right halves that are not joined yet
  bool grouped = false;        // a group joins it; otherwise a signal does
  WaitState* told = nullptr;   // to which it released last, at its presumed end
  u32 released_at = 0;         // waits there that had ended
  Telling* telling = nullptr;  // what it released
  u32 told_touches = 0;        // of the thread then: see ThreadState
};

struct Proxy : Task {
  Task* real = nullptr;
  Context* context = nullptr;  // null after its end, or if not observed
  Proxy* outer = nullptr;      // the thread's proxy before
  usize depth = 0;             // of calls of the thread then
  uptr frames_below = 0;       // the task's frames are below
  Context* arrived = nullptr;  // of a reduction: continues if this was the last half to arrive
};

// The innermost proxy that the thread runs.
extern __thread Proxy* t_proxy __attribute__((tls_model("initial-exec")));

// The calling thread if it runs a task, else null.
inline ThreadState* participant() {
  ThreadState* thread = self();
  return thread && running(*thread) ? thread : nullptr;
}

// tasks.cpp
TaskKind kind_of(const Task& task);
inline bool in_tree(TaskKind kind) {
  return kind == TaskKind::kTbbFor || kind == TaskKind::kTbbReduce || kind == TaskKind::kTbbSort;
}
bool is_proxy(const Task* task);
// As a child of the thread's current task, created by the call at `caller` (0: by none). REQUIRES: a RuntimeScope.
enum class Role { kRoot, kOther };  // kRoot: of a tree, in a group that the thread has just opened
Proxy* make_proxy(ThreadState& thread, Task* real, uptr caller, Role role = Role::kOther);
// The proxy to pass to the library in place of a task.
Task* in_place_of(Task* task, uptr caller);
// The task ends here, for the order. REQUIRES: a RuntimeScope.
void end(ThreadState& thread, Context* context);
// Removes the thread's contexts above `context`: exceptions left them. REQUIRES: a RuntimeScope.
void leave_down_to(ThreadState& thread, TaskContext* context);
// Resumable tasks run on other stacks, of which little is known: but memory below `frame`, where something new
// begins, is free. REQUIRES: a RuntimeScope.
void forget_foreign_stack(const ThreadState& thread, uptr frame);

// tree.cpp
order::Task* spawn_in_tree(ThreadState& thread, TaskKind kind, Context& child);
void released_in_tree(ThreadState& thread);
void acquired_in_tree(ThreadState& thread);

// suspension.cpp: the thread runs no task any more.
void no_task_left(ThreadState& thread);
// A call that waits has returned: what another thread left of its stack comes back. REQUIRES: a RuntimeScope.
void waited(ThreadState& thread, TaskContext* context);

// waits.cpp
void told(ThreadState& thread, uptr wait_context);
void ended(ThreadState& thread, Context& context);
void forget_wait(uptr wait_context);

}  // namespace heddle::tbb
