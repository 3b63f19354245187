#include "frontend/tbb/controlled_tasks.hpp"

#include "control/guided.hpp"
#include "frontend/actor_threads.hpp"
#include "frontend/controlled.hpp"
#include "frontend/tbb/tasks.hpp"
#include "runtime/state/code_classes.hpp"

namespace heddle::tbb {
namespace {

HEDDLE_TBB_REAL(void, execute_and_wait,
                "16execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_", Task*,
                void*, void*, void*);
HEDDLE_TBB_REAL(void, initialize, "10initializeERNS0_2d118task_group_contextE", void*);
HEDDLE_TBB_REAL(void, create_control, "6createERNS0_2d114global_controlE", void*);

// d1::wait_context
struct WaitContext {
  u64 version = 1;
  u64 references = 0;
};

// d1::task_group_context: of a wait that no exception reaches.
struct alignas(128) GroupContext {
  u8 bytes[128] = {};
};
GroupContext g_nobody;
GroupContext g_enqueued;  // of tasks that were given to an arena without a context

// d1::global_control: the library needs no threads of its own.
struct GlobalControl {
  usize value;
  u64 reserved;
  int parameter;
};
GlobalControl g_one_thread{1, 0, 0};

struct Assignment {
  Task* task;
  void* context;
};

}  // namespace

void prepare_actors() {
  control::prepare();
  static bool prepared = false;
  if (prepared) return;
  prepared = true;
  real_initialize(&g_nobody);
  real_initialize(&g_enqueued);
  real_create_control(&g_one_thread);
}

void run_here(Task* task, void* context) {
  WaitContext nothing;
  real_execute_and_wait(task, context, &nothing, &g_nobody);
}

void start_actor(Task* task, void* context) {
  const Task* real = is_proxy(task) ? static_cast<Proxy*>(task)->real : task;
  control::Actor* actor = control::create(name(kind_of(*real)));
  auto* assignment = memory::make<Assignment>();
  *assignment = {task, context ? context : &g_enqueued};
  run_as_actor(
      actor,
      [](void* data) {
        const Assignment mine = *static_cast<Assignment*>(data);
        memory::destroy(static_cast<Assignment*>(data));
        run_here(mine.task, mine.context);
      },
      assignment);
}

void wait_for_tasks(const void* wait_context, uptr caller) {
  controlled::wait_until<WaitContext>(
      [](const WaitContext& wait) { return __atomic_load_n(&wait.references, __ATOMIC_ACQUIRE) == 0; },
      *static_cast<const WaitContext*>(wait_context), "waits for tasks of oneTBB", caller);
}

// --- mutexes -------------------------------------------------------------------------------------------------------

void before_mutex(uptr mutex, bool write, uptr caller) {
  if (!control::holds(mutex, write)) control::acquire(mutex, write, control::kNoDeadline, caller);
}

void has_mutex(uptr mutex, bool write) {
  if (control::holds(mutex, write)) return;
  if (control::explores())
    control::give_up(
        "a mutex of oneTBB is a queuing_mutex, or was only tried: its orders cannot be explored yet");
  control::gained(mutex, write);
}

void gives_mutex(uptr mutex) {
  if (control::times_held(mutex) == 0) return;
  code::t_gives = mutex;
  code::on_change = [](uptr given) { controlled::released(reinterpret_cast<void*>(given)); };
}

void changes_mutex(uptr mutex, bool write) {
  if (control::times_held(mutex) == 0) return;
  control::release(mutex);
  control::gained(mutex, write);
}

void given_mutex(uptr mutex) {
  code::t_gives = 0;
  if (control::times_held(mutex) != 0) controlled::released(reinterpret_cast<void*>(mutex));
}

}  // namespace heddle::tbb
