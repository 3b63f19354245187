// The program's threads by their pthread_t, from creation until they are joined or, detached, have ended:
// only so long is the handle theirs. Thread safety: all functions may be called by anyone.
#pragma once

#include <pthread.h>

#include "base/hash_map.hpp"
#include "order/structure.hpp"

namespace heddle::control {
struct Actor;
}

namespace heddle::threads {

struct ThreadRecord {
  order::Task* task = nullptr;
  order::Task* creator = nullptr;
  control::Actor* actor = nullptr;  // under the verification runtime
  order::SyncObject end;            // what the thread did, for whoever joins it
  bool detached = false;            // these two are the table's
  bool ended = false;
};

class ThreadTable {
 public:
  // Makes the thread while nobody else can look: a thread that is known by its handle is in the table.
  template <class Create>
  int add(ThreadRecord* record, const pthread_t* handle, Create create) {
    SpinGuard guard(lock_);
    int result = create();
    if (result == 0) records_[*handle] = record;
    return result;
  }

  // Null for threads we did not see being made. The record stays until the thread is joined, which only one
  // may do.
  ThreadRecord* find(pthread_t handle) {
    SpinGuard guard(lock_);
    ThreadRecord** record = records_.find(handle);
    return record ? *record : nullptr;
  }

  // After the real join or detach the handle may already be another thread's: hence the record that was found
  // before.
  void joined(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    remove(handle, record);
  }
  void detached(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    record->detached = true;
    if (record->ended) remove(handle, record);
  }
  // Called by the thread itself, as the last it does with the record.
  void ended(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    record->ended = true;
    if (record->detached) remove(handle, record);
  }

 private:
  void remove(pthread_t handle, ThreadRecord* record) {
    ThreadRecord** known = records_.find(handle);
    if (known && *known == record) records_.erase(handle);
    memory::destroy(record);
  }

  SpinLock lock_;
  HashMap<ThreadRecord*> records_;
};

}  // namespace heddle::threads
