// Tasks with depend clauses, as the order sees them: a dependence is a signal from the predecessor's end to the
// successor's begin. Which tasks are predecessors says depend_table.hpp.
#pragma once

#include "order/depend_table.hpp"
#include "order/structure.hpp"

namespace heddle::order {

// When the task starts to run: all predecessors have ended.
void begin_dependent(Structure& structure, DependNode& node);
// When it ends, before Structure::end.
void end_dependent(Structure& structure, DependNode* node);
// taskwait depend(...): after the wait, the task happens after the children it named.
void wait_for_depends(Structure& structure, Task& task, const Depend* depends, u32 count);

}  // namespace heddle::order
