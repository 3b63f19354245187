// Enumerations that several rooms share: the running program, the histories that it writes and the explorer mean the
// same by them.
#pragma once

#include "base/types.hpp"

namespace heddle {

// How a task came into being.
enum class SpawnKind : u8 {
  kTask,        // may run at any time; its parent's taskwait and the groups around it wait for it
  kUndeferred,  // the parent is suspended until it has ended
  kThread,      // nothing waits for it implicitly: anyone may join it by name, once
  kBeside,      // starts like a child, but is joined where its creator is: a taskloop splits itself this way
};

// Of a depend clause. kOut stands for `inout` as well; kAllMemory has no address.
enum class DependKind : u8 { kIn, kOut, kInoutset, kMutexinoutset, kAllMemory };

// What an actor is about to do, at a step of a controlled execution.
enum class StepOp : u8 {
  kStart,       // the actor's first
  kAcquire,     // of an object; disabled while another holds it in a mode that excludes
  kTryAcquire,  // never disabled
  kWait,        // disabled until others have done something: join, barrier, condition, semaphore, future
  kAtomic,      // an operation on an atomic variable
  kChoice,      // anything else whose order matters: a chunk is taken, a condition is signalled
  kGoOn,        // nothing: a cut without a choice
  kAccess,      // of memory, at a site of the goal: only in steered executions
};

}  // namespace heddle
