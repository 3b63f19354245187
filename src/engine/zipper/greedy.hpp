// Puts a recorded history into greedy-scheduled order (thesis, section 3.1): a task runs until it must wait for
// another.
//
// The new order keeps happens-before, the order of critical sections of each lock and of the signals and awaits of
// each object, and the order of conflicting accesses: so every read sees the same write (the RP order), and a switch
// happens only where the next event of the running task must come after an unplaced event of another. The thesis
// switches at acquisitions and joins; here also at an await, at a signal that must not overtake one, and at an access
// that would.
//
//   Example: t1 writes x, t2 writes y, t1 writes x, t2 joins t1   becomes   t1 writes x, t1 writes x, t2 writes y, t2
//                                                                 joins t1
//
// Cost: time and memory linear in the events and the words that they touch.
#pragma once

#include <vector>

#include "engine/core.hpp"

namespace heddle::engine {

struct CoreEvent {
  enum Op : u8 { kFork, kBegin, kEnd, kJoin, kSignal, kAwait, kAcquire, kRelease, kAccess, kNewMemory };
  Op op = kAccess;
  bool write = false;  // also: replaces
  bool atomic = false;
  u32 task = 0;
  u32 other = 0;  // child, thread, object or lock; the site of an access
  u32 bound_to = 0;
  u64 address = 0, size = 0;
};

// Records the core events. Numbers of tasks and objects are not reused.
class CoreRecorder : public Sink {
 public:
  std::vector<CoreEvent> events;

  void fork(TaskIndex task, TaskIndex child) override;
  void begin(TaskIndex task, u32 thread) override;
  void end(TaskIndex task) override;
  void join(TaskIndex task, TaskIndex child) override;
  void signal(TaskIndex task, ObjectIndex object, bool replace) override;
  void await(TaskIndex task, ObjectIndex object) override;
  void forget(ObjectIndex object) override;
  void acquire(TaskIndex task, u32 lock, bool write) override;
  void release(TaskIndex task, u32 lock, bool write) override;
  void access(TaskIndex task, const Access& access) override;
  void new_memory(TaskIndex task, u64 address, u64 size) override;

 private:
  static constexpr u32 kNone = ~u32{0};
  static u32& at(std::vector<u32>& all, u32 index) {
    if (index >= all.size()) all.resize(index + 1, kNone);
    return all[index];
  }
  u32 object(ObjectIndex index);

  std::vector<u32> tasks_ = {0}, objects_;  // the current number of an index
  u32 next_task_ = 1, next_object_ = 0;
};

std::vector<CoreEvent> greedy_order(const std::vector<CoreEvent>& events);

void play(const CoreEvent& event, Sink& sink);

}  // namespace heddle::engine
