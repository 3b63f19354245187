// Programs of the driver that are recorded: the tool's side of the channel is in the same process.
#pragma once

#include "event/event.hpp"
#include "order/dpst/task.hpp"

namespace heddle::oracle::recording {

// From here on the process is recorded.
void start();
// A program begins: the initial thread runs this task.
void begin(order::Task& root);
// It has ended. What the tool reads of it: in words if it cannot. The initial thread is gone.
event::History end();

}  // namespace heddle::oracle::recording
