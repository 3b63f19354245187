// Records of tasks that nothing names any more are used for new ones: the part of order/records.hpp that knows what
// names tasks.
#pragma once

#include "runtime/state/process.hpp"

namespace heddle::record_reuse {

// What names tasks beside the shadow, the heap blocks and other tasks is kept by those who make it
// (order::Task::kept), or rules the reuse out: histories, and checks of annotated data.
// Not called in programs yet: see docs/internals/order.md.
void start();
// To be called now and then, by a thread that is in the runtime and holds none of its locks.
void collect(ThreadState& thread);
// At once. REQUIRES: no thread is in the runtime. For tests.
void collect_now();

}  // namespace heddle::record_reuse
