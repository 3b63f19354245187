// Continue nodes of flow graphs. Each predecessor puts a message, and the last put creates the task that runs the
// body. The task happens after all puts; the puts are unordered among themselves, though the node's mutex serialises
// them.
#pragma once

#include "frontend/tbb/abi.hpp"

namespace heddle::tbb {

// Is this the mutex of a node that creates a task for its body? REQUIRES: continue_receiver::try_put_task acquires
// it.
bool makes_task_of_puts(uptr mutex);
// A task of a flow graph was created: if it is a continue node's, it happens after all puts there. REQUIRES: it has
// not begun.
void learn_from_putters(order::Task& task, const Task& real);

}  // namespace heddle::tbb
