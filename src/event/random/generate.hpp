// Random programs of a model: its features, and their frequencies. Small by default, because small programs have all
// corner cases and run fast; a few are large.
#pragma once

#include "event/random/program.hpp"
#include "event/random/rng.hpp"

namespace heddle::event {

enum class Model : u8 { kOpenmp, kThreads, kAsync, kMixed, kLocks, kLockOrders };
constexpr Model kModels[] = {Model::kOpenmp, Model::kThreads, Model::kAsync, Model::kMixed, Model::kLocks};
// kLockOrders, whose schedules may deadlock, is for tests of deadlocks.
const char* name(Model model);

// Relative weights of the steps, 0 for features that a model does not have.
struct Features {
  u32 access = 40, lock = 0, spawn = 0, undeferred = 0, depend_percent = 0, wait = 0, wait_depend = 0,
      group = 0, parallel = 0, thread = 0, join_thread = 0, signal = 0, await = 0, bind = 0, new_memory = 1,
      beside = 0, detach_thread = 0;
  u32 leave_group_open_percent = 0;
  u32 write_percent = 45;
  bool bound_memory = false;  // some memory belongs to threads
  bool lock_order = true;     // locks are taken in ascending order, so that schedules do not deadlock
};

struct Shape {
  u32 steps = 40;     // of all tasks together
  u32 depth = 4;      // of spawning
  u32 locations = 2;  // cells of eight bytes
  u32 locks = 2;
  u32 objects = 2;
  u32 addresses = 2;  // of depend clauses
};

Features features_of(Model model, Rng& rng);
Shape shape_of(Rng& rng);
Program generate(const Features& features, const Shape& shape, Rng& rng);
Program generate(Model model, Rng& rng);

}  // namespace heddle::event
