// Parallel regions: fork, execution by a team, join.
#pragma once

#include "control/openmp/worksharing.hpp"

namespace heddle::gomp {

struct Region {
  void (*body)(void*) = nullptr;
  void* data = nullptr;
  u32 threads = 0;  // by a clause; 0: none
  const void* pc = nullptr;
  // Of a combined construct: the worksharing construct that every member begins in.
  const LoopRequest* loop = nullptr;
  uptr* reductions = nullptr;  // parallel reduction(task, ...)
  bool league = false;
  u32 thread_limit = 0;  // of a league
};

// Returns how many threads the team had.
u32 run_region(const Region& region);

}  // namespace heddle::gomp
