// Shared by the files of this folder: the runtime's side of heddle/async.hpp (the functions that
// include/heddle/detail/on_heddle.hpp declares).
//
// An async, a future, an iteration of a forall or a posted task is a task of the order; a finish is a group scope,
// which joins descendants; the end of a task that can be joined by name is a signal. A normal run executes a task at
// once, on the stack of its creator: this is one legal schedule, and the order by structure holds for all. Under the
// verification runtime each task is an actor, and every wait is a choice point.
#pragma once

#include "frontend/actor_threads.hpp"
#include "frontend/controlled.hpp"
#include "frontend/interpose.hpp"

namespace heddle::async {

using controlled::wait_until;

// Those of include/heddle/detail/on_heddle.hpp, in its order.
constexpr TaskKind kKinds[] = {TaskKind::kAsync,
                               TaskKind::kFuture,
                               TaskKind::kForallIteration,
                               TaskKind::kForallGroup,
                               TaskKind::kForasyncIteration,
                               TaskKind::kForasyncGroup,
                               TaskKind::kPosted};

// A finish, from its beginning until its exceptions have been collected.
struct FinishScope {
  order::Task* owner = nullptr;  // null: the thread is not observed
  u32 unfinished = 0;            // tasks of it that are actors and have not ended; guarded by the baton
  SpinLock lock;
  Vector<void*> failures;
  u32 taken = 0;  // of the failures
};

// Of a task that can be joined by name.
struct Completion {
  void (*drop)(void*) = nullptr;
  bool quiet = false;  // destroying it runs no code of the program
  void* data = nullptr;
  std::atomic<u32> references{2};
  std::atomic<bool> ended{false};
  std::atomic<u32> run_by{0};  // the number of the thread that runs it
  order::SyncObject end;
  order::SyncObject drops;    // a drop releases; the last drop acquires from all
  u32 unanswered = 0;         // ewaits that might have joined it, see ewait.cpp; guarded by the baton
  order::SyncObject answers;  // to these

  bool joinable() const { return ended.load(std::memory_order_acquire) && unanswered == 0; }
};

// A body to run as a task.
struct Job {
  void (*run)(void*) = nullptr;
  void* data = nullptr;
  FinishScope* finish = nullptr;     // null: no finish joins it
  Completion* completion = nullptr;  // null: only its finish joins it
};

// The calling thread if its task operations are observed, else null.
inline ThreadState* participant() {
  ThreadState* thread = self();
  return thread && (thread->active || thread->ignore) && running(*thread) ? thread : nullptr;
}

// tasks.cpp
void start(const Job& job, TaskKind kind, uptr caller);
// As an actor, as a task that no finish joins. Returns the actor's number. REQUIRES: control::active()
u32 start_apart(ThreadState& creator, const Job& job, const char* what, uptr caller);

// completion.cpp: called by the task itself, at its end.
void complete(ThreadState* thread, Completion& completion);
void release(Completion& completion, uptr caller);
void acquire_end(ThreadState* thread, Completion& completion);

// ewait.cpp. REQUIRES: control::active()
usize choose_one(ThreadState& thread, void* const* completions, usize count, uptr caller);

}  // namespace heddle::async

// The header calls these names; exported like all hooks.
#define HEDDLE_ASYNC_API extern "C" __attribute__((visibility("default")))
