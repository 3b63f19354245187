// Runs a TBB program on as many workers as the variable WORKERS says, or as TBB chooses.
//
// The arena that TBB makes by itself has a slot for each processor. Where that is enough, the limit alone decides;
// for more workers than processors the program runs in an arena of its own.
#ifndef HEDDLE_TESTS_PROGRAMS_WORKERS_HPP
#define HEDDLE_TESTS_PROGRAMS_WORKERS_HPP

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <cstdlib>

inline int on_workers(int (*program)()) {
  const char* wanted = std::getenv("WORKERS");
  if (wanted == nullptr) return program();
  const int workers = std::atoi(wanted);
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
  if (workers <= tbb::info::default_concurrency()) return program();
  tbb::task_arena arena(workers);
  return arena.execute(program);
}

#endif
