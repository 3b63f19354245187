// oneTBB under the verification runtime: every task that is given to the library is an actor, on a thread of its own,
// and whoever waits for tasks waits for the baton. The library runs each task where its actor is (it knows contexts,
// cancellation and exceptions), but never holds one that somebody else could take, and so never wakes a thread of its
// own.
//
// REQUIRES of all: control::active().
#pragma once

#include "control/control.hpp"
#include "frontend/tbb/abi.hpp"

namespace heddle::tbb {

// Before a call that makes or awaits tasks: what happens from here on is not the same in all executions.
void prepare_actors();
// To be run by an actor. `context` is the task's d1::task_group_context; null: it has none.
void start_actor(Task* task, void* context);
// By the calling actor, with what it returns to be run next.
void run_here(Task* task, void* context);
// Until the d1::wait_context counts nothing.
void wait_for_tasks(const void* wait_context, uptr caller);

// A mutex of the library: before it is taken, once it is, and before it is given. Then the next atomic operation of
// its code that changes anything gives it, unless `given` says so before.
void before_mutex(uptr mutex, bool write, uptr caller);
void has_mutex(uptr mutex, bool write);
void gives_mutex(uptr mutex);
void given_mutex(uptr mutex);
// A reader becomes the writer, or the other way round.
void changes_mutex(uptr mutex, bool write);

}  // namespace heddle::tbb
