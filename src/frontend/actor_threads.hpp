// Threads for tasks that are actors of the verification runtime. A task gets one when it first runs, and keeps it
// until it ends; then another task may get it. So tasks that never wait for each other need one thread, however many
// there are. Threads are expensive when a program of some hundred tasks is executed thousands of times.
#pragma once

#include "control/control.hpp"

namespace heddle {

// REQUIRES: control::active(); the actor has no thread yet.
void run_as_actor(control::Actor* actor, void (*run)(void*), void* data);

}  // namespace heddle
