// Random programs of the model, small enough to enumerate all their interleavings, and a way to shrink them.
#pragma once

#include <functional>

#include "event/random/rng.hpp"
#include "explore/model/program.hpp"

namespace heddle::explore::model {

struct Shape {
  u32 actors = 3;        // at most
  u32 instructions = 5;  // of each body, about
  u32 variables = 2, locks = 2, semaphores = 1;
  u32 nesting = 2;  // of sections
  // Relative weights.
  u32 access = 3, section = 5, try_section = 0, reader_percent = 0, atomic = 0, post = 0, wait = 0,
      branch = 2, timed_wait = 0, pause = 0, poll = 0;
  u32 protected_percent = 80;  // accesses that are made only under the lock of their variable
};

Shape random_shape(event::Rng& rng);
Program generate(const Shape& shape, event::Rng& rng);

// Shrinks a program by removing instructions for as long as `fails` holds.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace heddle::explore::model
