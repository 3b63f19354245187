// Threads for tasks that are actors of the verification runtime. A task gets one when it first runs, and has it for
// itself until it ends; then the next task gets it: tasks that never wait for each other, however many, need one
// thread. Threads are dear where a program of some hundred tasks is executed thousands of times.
#pragma once

#include "control/control.hpp"

namespace heddle {

// REQUIRES: control::active(); nothing has been said about the actor's thread.
void run_as_actor(control::Actor* actor, void (*run)(void*), void* data);

}  // namespace heddle
