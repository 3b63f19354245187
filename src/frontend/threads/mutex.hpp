// Mutexes under the verification runtime, for operations that release one and acquire it again (condition variables).
#pragma once

#include "frontend/controlled.hpp"

namespace heddle::threads {

using namespace controlled;

// Results are those of pthread_mutex_lock and its relatives.
int lock_as_actor(uptr caller, pthread_mutex_t* mutex, u64 deadline = control::kNoDeadline);
int try_lock_as_actor(uptr caller, pthread_mutex_t* mutex);
int unlock_as_actor(pthread_mutex_t* mutex);
// The same in one step with the caller's next operation.
int unlock_and_go_on(pthread_mutex_t* mutex);
// Without a limit, or until the deadline.
int wait_for_oneself(uptr caller, uptr lock, u64 deadline);

}  // namespace heddle::threads
