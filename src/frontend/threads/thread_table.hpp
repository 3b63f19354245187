// The program's threads by their pthread_t, from creation until they are joined or, detached, have ended: the handle
// is valid only for so long. Thread safety: any thread may call anything.
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
  order::SyncObject end;            // the thread's last clock, for its join
  // The rest is the table's.
  bool detached = false;
  bool ended = false;
  bool known = false;     // it is in the table, or was
  bool creating = false;  // the creator still needs the record
  bool gone = false;      // and nothing else does
};

class ThreadTable {
 public:
  // A thread is created without the lock: the C library allocates memory for it, perhaps with the program's own
  // functions, which may do anything. So both the creator (`creating` is set until then) and the new thread, first of
  // all, register the handle.
  void created(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    record->creating = false;
    if (record->gone)
      memory::destroy(record);
    else
      insert(handle, record);
  }
  void begun(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    insert(handle, record);
  }

  // Null for threads whose creation was not seen. The record stays until the thread is joined, which only one thread
  // may do.
  ThreadRecord* find(pthread_t handle) {
    SpinGuard guard(lock_);
    ThreadRecord** record = records_.find(handle);
    return record ? *record : nullptr;
  }

  // After the real join or detach another thread may already have the handle: hence the record that was found before.
  void joined(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    remove(handle, record);
  }
  void detached(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    record->detached = true;
    if (record->ended) remove(handle, record);
  }
  // Called by the thread itself, as its last use of the record.
  void ended(pthread_t handle, ThreadRecord* record) {
    SpinGuard guard(lock_);
    record->ended = true;
    if (record->detached) remove(handle, record);
  }

 private:
  void insert(pthread_t handle, ThreadRecord* record) {
    if (!record->known) records_[handle] = record;
    record->known = true;
  }
  void remove(pthread_t handle, ThreadRecord* record) {
    ThreadRecord** known = records_.find(handle);
    if (known && *known == record) records_.erase(handle);
    if (record->creating)
      record->gone = true;
    else
      memory::destroy(record);
  }

  SpinLock lock_;
  HashMap<ThreadRecord*> records_;
};

}  // namespace heddle::threads
