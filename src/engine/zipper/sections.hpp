// The weaker order of chapter 4: a critical section comes after an earlier one of the same lock only if they conflict.
//
// Precisely: for two sections of a lock, not both readers, the release of the first happens before each node of the
// second that touches a byte which the first wrote, or writes one which the first touched. Nodes are split at every
// synchronisation. In the thesis the edge leads to the acquisition; leading to the node it needs no lookahead, and
// orders less.
//
// docs/engines.md says what holds: this is not WCP (there is no rule for the releases of nested regions, and no
// composition with happens-before), so a predicted race must be checked; it is not proved.
#pragma once

#include <unordered_map>
#include <vector>

#include "engine/core.hpp"
#include "order/clocks/clock.hpp"

namespace heddle::engine {

class Sections {
 public:
  void acquire(TaskIndex task, u32 lock, bool write);
  // `known` is the task's clock at the release, itself included.
  void release(TaskIndex task, u32 lock, const order::Clock& known);
  bool inside(TaskIndex task) const { return task < open_.size() && !open_[task].empty(); }

  // The task's node touches these bytes of a block: adds its happens-before edges.
  void touch(TaskIndex task, u64 base, u64 read, u64 write, order::Clock& after);
  void new_memory(u64 base, u64 bytes);

 private:
  struct Touched {
    u64 base, read, write;
  };
  struct Open {
    u32 lock;
    bool exclusive;
    std::vector<Touched> touched;
  };
  // The accesses of a lock's sections to a block, and the clocks of their releases.
  struct Past {
    u32 lock;
    bool exclusive;
    u64 read, write;
    order::Clock released;
  };

  std::vector<std::vector<Open>> open_;              // by task
  std::unordered_map<u64, std::vector<Past>> past_;  // by block
};

}  // namespace heddle::engine
