// OpenMP's internal control variables, initialised from the environment.
#pragma once

#include "base/types.hpp"

namespace heddle::gomp {

// As GCC numbers them: its omp_sched_t, and 0 for schedule(runtime).
enum class Schedule : u32 { kRuntime = 0, kStatic = 1, kDynamic = 2, kGuided = 3, kAuto = 4 };
constexpr u32 kMonotonic = 0x80000000u;

constexpr u32 kNoLimit = 0x7fffffff;

// The variables that each task has for itself.
struct Settings {
  u32 threads = 1;  // nthreads-var
  u32 depth = 0;    // in OMP_NUM_THREADS' list
  bool dynamic = false;
  u32 max_active_levels = 1;
  Schedule schedule = Schedule::kDynamic;
  u32 modifier = 0;  // kMonotonic, for queries
  long chunk = 1;
  u32 thread_limit = kNoLimit;
  int default_device = 0;
  uptr allocator = 1;
};

// The variables of the whole program.
struct Globals {
  static constexpr u32 kMostLevels = 16;
  u32 threads[kMostLevels] = {};  // OMP_NUM_THREADS
  u32 threads_count = 0;
  bool cancellation = false;
  int max_task_priority = 0;
  u32 teams = 0;               // OMP_NUM_TEAMS
  u32 teams_thread_limit = 0;  // OMP_TEAMS_THREAD_LIMIT
  int proc_bind = 0;           // omp_proc_bind_t
  bool mandatory_offload = false;
  char affinity_format[256] = "";
  Settings initial;
};

Globals& globals();

// Reads the environment. `threads`: --threads, or 0.
void read_environment(u32 threads);
u32 processors();

}  // namespace heddle::gomp
