// Threads that come and go.
#pragma once

#include "runtime/state/machine_stack.hpp"
#include "runtime/state/process.hpp"

namespace heddle {

// Attaches the calling OS thread; `task` may be null (a worker of a runtime system waiting for its first task). A stack
// that is not given is looked for.
ThreadState* attach_thread(order::Task* task, MachineStack stack = {});
// The thread is about to end: its stack's shadow is cleared, its state freed.
void detach_thread(ThreadState& thread);

}  // namespace heddle
