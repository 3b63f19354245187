// Tasks that the program passes to the library.
#include "frontend/tbb/controlled_tasks.hpp"
#include "frontend/tbb/tasks.hpp"

namespace heddle::tbb {
namespace {

// Under the verification runtime, each of them is an actor.
bool becomes_actor(Task* task, void* context, uptr caller) {
  if (!control::active() || is_runtime_system(origin_of(caller))) return false;
  prepare_actors();
  start_actor(in_place_of(task, caller), context);
  return true;
}

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;

// Which tasks it still reaches is not explored.
HEDDLE_TBB(bool, cancel_group, "22cancel_group_executionERNS0_2d118task_group_contextE", void* context) {
  if (control::active() && control::explores()) control::assume(control::Assumption::kOneOrder);
  return real_cancel_group(context);
}
HEDDLE_TBB(void, spawn, "5spawnERNS0_2d14taskERNS2_18task_group_contextE", tbb::Task* task, void* context) {
  if (tbb::becomes_actor(task, context, HEDDLE_CALLER)) return;
  real_spawn(tbb::in_place_of(task, HEDDLE_CALLER), context);
}
HEDDLE_TBB(void, spawn_near, "5spawnERNS0_2d14taskERNS2_18task_group_contextEt", tbb::Task* task,
           void* context, unsigned short slot) {
  if (tbb::becomes_actor(task, context, HEDDLE_CALLER)) return;
  real_spawn_near(tbb::in_place_of(task, HEDDLE_CALLER), context, slot);
}
HEDDLE_TBB(void, submit, "6submitERNS0_2d14taskERNS2_18task_group_contextEPNS1_5arenaEm", tbb::Task* task,
           void* context, void* arena, uptr as_critical) {
  if (tbb::becomes_actor(task, context, HEDDLE_CALLER)) return;
  real_submit(tbb::in_place_of(task, HEDDLE_CALLER), context, arena, as_critical);
}
HEDDLE_TBB(void, enqueue, "7enqueueERNS0_2d14taskEPNS2_15task_arena_baseE", tbb::Task* task, void* arena) {
  if (tbb::becomes_actor(task, nullptr, HEDDLE_CALLER)) return;
  real_enqueue(tbb::in_place_of(task, HEDDLE_CALLER), arena);
}
HEDDLE_TBB(void, enqueue_in, "7enqueueERNS0_2d14taskERNS2_18task_group_contextEPNS2_15task_arena_baseE",
           tbb::Task* task, void* context, void* arena) {
  if (tbb::becomes_actor(task, context, HEDDLE_CALLER)) return;
  real_enqueue_in(tbb::in_place_of(task, HEDDLE_CALLER), context, arena);
}
