// oneTBB under the verification runtime: every task that is passed to the library is an actor, on its own thread, and
// every wait for tasks is a choice point. The library runs each task where its actor is (it handles contexts,
// cancellation and exceptions), but never has one queued that another thread could take, and so never wakes a thread
// of its own.
//
// REQUIRES of all: control::active().
#pragma once

#include "control/control.hpp"
#include "frontend/tbb/abi.hpp"

namespace heddle::tbb {

// Before a call that creates or awaits tasks: executions may differ from here on.
void prepare_actors();
// Makes it an actor. `context` is the task's d1::task_group_context; null: it has none.
void start_actor(Task* task, void* context);
// Runs it on the calling actor, and the tasks that it returns to run next.
void run_here(Task* task, void* context);
// Until the count of the d1::wait_context is zero.
void wait_for_tasks(const void* wait_context, uptr caller);

// A mutex of the library: before and after it is acquired, and before it is released. The next atomic operation of
// its code that changes anything releases it, unless `given` is called before.
void before_mutex(uptr mutex, bool write, uptr caller);
void has_mutex(uptr mutex, bool write);
void gives_mutex(uptr mutex);
void given_mutex(uptr mutex);
// A reader becomes the writer, or the other way round.
void changes_mutex(uptr mutex, bool write);

}  // namespace heddle::tbb
