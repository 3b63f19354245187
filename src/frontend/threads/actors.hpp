// Threads as actors of the verification runtime.
#pragma once

#include <pthread.h>

#include "control/control.hpp"

namespace heddle::threads {

// Null if the thread is none.
control::Actor* actor_of(pthread_t handle);
// The kernel passes a robust mutex on when its owner has ended.
void release_robust_locks();

}  // namespace heddle::threads
