// What the files of this folder share: the runtime's side of heddle/async.hpp (the functions that
// include/heddle/detail/on_heddle.hpp declares).
//
// An async, a future, an iteration of a forall or a posted task is a task of the order; a finish is a group scope,
// which joins descendants; the end of a task that can be waited for by name is a signal. In an ordinary run a task is
// run at once, on the stack of its creator: that is a schedule like any other, and the order speaks for all of them.
// Under the verification runtime each task is an actor, and whatever waits is a choice point.
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

// A finish, from its beginning until its exceptions have been taken.
struct FinishScope {
  order::Task* owner = nullptr;  // null: the thread takes part in nothing
  u32 unfinished = 0;            // tasks of it that are actors and have not ended; guarded by the baton
  SpinLock lock;
  Vector<void*> failures;
  u32 taken = 0;  // of the failures
};

// Of a task that can be waited for by name.
struct Completion {
  void (*drop)(void*) = nullptr;
  bool quiet = false;  // to drop it runs no code of the program
  void* data = nullptr;
  std::atomic<u32> references{2};
  std::atomic<bool> ended{false};
  std::atomic<u32> run_by{0};  // the number of the thread that runs it
  order::SyncObject end;
  order::SyncObject drops;    // whoever gives up a reference; whoever gives up the last one comes after them
  u32 unanswered = 0;         // ewaits that might have joined it, see ewait.cpp; guarded by the baton
  order::SyncObject answers;  // to these

  bool joinable() const { return ended.load(std::memory_order_acquire) && unanswered == 0; }
};

// What is to be run as a task.
struct Job {
  void (*run)(void*) = nullptr;
  void* data = nullptr;
  FinishScope* finish = nullptr;     // null: no finish waits for it
  Completion* completion = nullptr;  // null: only its finish waits for it
};

// The calling thread if what it does about tasks is to be noted, else null.
inline ThreadState* participant() {
  ThreadState* thread = self();
  return thread && (thread->active || thread->ignore) && running(*thread) ? thread : nullptr;
}

// tasks.cpp
void start(const Job& job, TaskKind kind, uptr caller);
// As an actor, as a task that no finish joins. Returns the actor's number. REQUIRES: control::active()
u32 start_apart(ThreadState& creator, const Job& job, const char* what, uptr caller);

// completion.cpp: by the task itself, as the last it does.
void complete(ThreadState* thread, Completion& completion);
void release(Completion& completion, uptr caller);
void acquire_end(ThreadState* thread, Completion& completion);

// ewait.cpp. REQUIRES: control::active()
usize choose_one(ThreadState& thread, void* const* completions, usize count, uptr caller);

}  // namespace heddle::async

// Called by the header under these names; exported like all of the program's hooks.
#define HEDDLE_ASYNC_API extern "C" __attribute__((visibility("default")))
