// Mutexes under the verification runtime, for those that give one away and take it back (condition variables).
#pragma once

#include "frontend/controlled.hpp"

namespace heddle::threads {

using namespace controlled;

// Results are those of pthread_mutex_lock and its relatives.
int lock_as_actor(uptr caller, pthread_mutex_t* mutex, u64 deadline = control::kNoDeadline);
int try_lock_as_actor(uptr caller, pthread_mutex_t* mutex);
int unlock_as_actor(pthread_mutex_t* mutex);
// The same in one step with what the caller does next.
int unlock_and_go_on(pthread_mutex_t* mutex);
// For ever, or until the deadline.
int wait_for_oneself(uptr caller, uptr lock, u64 deadline);

}  // namespace heddle::threads
