// Permission regions (include/heddle/annotate.h): their beginnings are choice points of the GPR baseline; otherwise
// they do nothing.
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

// The end of a region is no choice point: what follows is part of the step, as in Java Pathfinder.
HEDDLE_ASYNC_API void __heddle_end_permission(const volatile void*, usize, int) {}
