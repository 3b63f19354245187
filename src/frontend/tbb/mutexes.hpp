// The mutexes of oneTBB. One that the program takes is a lock: it protects, and who had it before is known in the
// full order only. One that oneTBB's own code takes (in a container, in a node of a flow graph) is how it hands over
// what it holds: a signal.
#pragma once

#include "base/code_class.hpp"
#include "frontend/tbb/abi.hpp"

namespace heddle::tbb {

void mutex_notice(ThreadState& thread, Notice notice, uptr mutex, CodeClass here, uptr pc);
// The calling thread was a reader, and is the writer now.
void upgraded(ThreadState& thread, uptr mutex, uptr pc);

}  // namespace heddle::tbb
