// Continue nodes of flow graphs. Each of their predecessors puts a message, and whoever puts the last one makes the
// task that runs the body. The task comes after all who put; those who put do not come after each other, though the
// node's mutex lets them in one by one.
#pragma once

#include "frontend/tbb/abi.hpp"

namespace heddle::tbb {

// Is this the mutex of a node that makes a task for its body? REQUIRES: continue_receiver::try_put_task takes it.
bool makes_task_of_puts(uptr mutex);
// A task of a flow graph was made: if it is a continue node's, it comes after all who have put there. REQUIRES: it
// has not begun.
void learn_from_putters(order::Task& task, const Task& real);

}  // namespace heddle::tbb
