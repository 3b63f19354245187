// Tables in which nothing is ever found. Accesses of recorded threads must all come to the slow path, so the same empty
// tables serve all of them.
#pragma once

#include "runtime/state/thread_state.hpp"

namespace heddle::empty_tables {

// Makes them, if they are not there yet.
void prepare();
void share(ThreadState& thread);

}  // namespace heddle::empty_tables
