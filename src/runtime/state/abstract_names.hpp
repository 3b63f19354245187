// Names of locks and tasks that mean the same in another execution of the same executable, as numbers: what steering
// needs to distinguish the locks of a cycle from others that are acquired at the same line. The abstractions are
// those of report/identity.hpp, which has them in words:
//   index    call sites of the creation, how many its creator had created there before, and the creator's own name
//   sites    call sites of the creation
//   trivial  all are one
// 0: it has none, and may be anything. Call sites are counted from where the executable lies; those in libraries are
// left out. Thread safety: any thread. Cost: a walk up the ancestors of the creator.
#pragma once

#include "order/dpst/task.hpp"

namespace heddle::abstract_names {

u64 of_lock(uptr address);
u64 of_task(const order::Task& task);

}  // namespace heddle::abstract_names
