// Executing a program again and again from where its executions part: `heddle prove`.
//
// What happens before the first actor is made is the same in every execution. There the process stops and serves: for
// each request it forks, and the child continues as one execution, which follows its board (control/guided.hpp) and is
// recorded (recorder.hpp). For several workers the process first forks a server for each.
#pragma once

#include "base/types.hpp"

namespace heddle::fork_server {

// At start: are there workers? Then their boards and channels are mapped, and the first actor will make the process a
// server.
bool attach();

}  // namespace heddle::fork_server
