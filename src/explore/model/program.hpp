// Small programs with locks, written as data: what the explorer is tested on.
//
// A body is a list of instructions for one actor, which has one register. Everything else is shared. A lock with a
// time limit is kTryLock. A loop is a poll: it changes nothing that others can see until it ends (see control::Look).
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"

namespace heddle::explore::model {

enum class Kind : u8 {
  kRead,        // variable -> register
  kWrite,       // register + value -> variable
  kAtomicRead,  // the same, atomically
  kAtomicWrite,
  kAtomicAdd,  // variable += value; the old value -> register
  kLock,       // `write`: the mode
  kTryLock,    // register: did it succeed?
  kUnlock,
  kSpawn,  // body `index`
  kJoin,   // the `index`-th actor this one spawned; a no-op if there is none
  kPost,   // a semaphore
  kWait,
  kTimedWait,   // for a permit; register: was there one in time?
  kPause,       // a sleep or a yield
  kJumpUnless,  // unless the register equals `value`; to instruction `index`
};

struct Instruction {
  Kind kind = Kind::kRead;
  u32 index = 0;  // of the variable, lock, body, ...
  int value = 0;
  bool write = true;
  bool operator==(const Instruction&) const = default;
};

using Body = std::vector<Instruction>;

struct Program {
  std::vector<Body> bodies;  // the first is that of the initial actor
  bool operator==(const Program&) const = default;
};

// As C++ source, for a regression test.
std::string to_code(const Program& program);

}  // namespace heddle::explore::model
