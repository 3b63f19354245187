// Permission regions (include/heddle/annotate.h): choice points of the baseline that schedules where they begin,
// nothing otherwise.
#include "control/guided.hpp"
#include "frontend/async/async.hpp"

using namespace heddle;

HEDDLE_ASYNC_API void __heddle_begin_permission(const volatile void* address, usize, int write) {
  const control::Board* board = control::active() ? control::board() : nullptr;
  if (!board || !board->choose_at_permissions) return;
  control::choose({.op = control::Op::kChoice,
                   .write = write != 0,
                   .object = address_of(address),
                   .what = "enters a permission region",
                   .pc = HEDDLE_CALLER});
}

// Where a region ends nothing is chosen: what follows is part of the step, as it is in Java Pathfinder.
HEDDLE_ASYNC_API void __heddle_end_permission(const volatile void*, usize, int) {}
