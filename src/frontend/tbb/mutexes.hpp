// The mutexes of oneTBB. One that the program acquires is a lock: it protects, and its previous holder is ordered in
// the full order only. One that oneTBB's own code acquires (in a container, in a node of a flow graph) passes data
// on: a signal.
#pragma once

#include "base/code_class.hpp"
#include "frontend/tbb/abi.hpp"

namespace heddle::tbb {

void mutex_notice(ThreadState& thread, Notice notice, uptr mutex, CodeClass here, uptr pc);
// The calling thread was a reader, and is the writer now.
void upgraded(ThreadState& thread, uptr mutex, uptr pc);

}  // namespace heddle::tbb
