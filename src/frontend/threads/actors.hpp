// Threads as actors of the verification runtime.
#pragma once

#include <pthread.h>

#include "control/control.hpp"

namespace heddle::threads {

// Null if the thread is none.
control::Actor* actor_of(pthread_t handle);
// The kernel gives a robust mutex to the next one when its owner has ended.
void release_robust_locks();

}  // namespace heddle::threads
