// The core vocabulary of the published engines. Their papers have forks, joins, locks and accesses; programs have
// teams, barriers, groups, dependences. engine/lower.hpp translates the second into the first once, so that an engine
// stays close to its paper.
//
// Tasks and objects are small numbers that are reused: an engine may use them as indices, and its memory is
// proportional to the live ones. Task 0 is the initial thread.
#pragma once

#include "base/types.hpp"

namespace heddle::engine {

using TaskIndex = u32;
using ObjectIndex = u32;

struct Access {
  u64 address = 0;
  u32 size = 0;
  bool write = false, atomic = false;
  u32 site = 0;
  // Not 0: bound to an operating-system thread. Two accesses bound to one thread do not race.
  u32 bound_to = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;

  // The child's first strand happens after everything the task has done so far.
  virtual void fork(TaskIndex task, TaskIndex child) = 0;
  // The task starts to run on an operating-system thread, and ends. Only engines that consider threads need these.
  virtual void begin(TaskIndex task, u32 thread) {}
  virtual void end(TaskIndex task) {}
  // All of the child happens before the task's next strand. A task is joined once, after its end; its number is free
  // then.
  virtual void join(TaskIndex task, TaskIndex child) = 0;

  // A signal joins the task's clock into the object's, or replaces it; await joins the object's into the task's. A
  // forgotten object's number is free.
  virtual void signal(TaskIndex task, ObjectIndex object, bool replace) = 0;
  virtual void await(TaskIndex task, ObjectIndex object) = 0;
  virtual void forget(ObjectIndex object) = 0;

  // Outermost acquisitions only; if not for writing, other readers may hold it, too.
  virtual void acquire(TaskIndex task, u32 lock, bool write) = 0;
  virtual void release(TaskIndex task, u32 lock, bool write) = 0;

  virtual void access(TaskIndex task, const Access& access) = 0;
  // No earlier access to these bytes races with a later one. Whole granules of eight bytes.
  virtual void new_memory(TaskIndex task, u64 address, u64 size) = 0;
};

}  // namespace heddle::engine
