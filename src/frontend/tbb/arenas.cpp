// Arenas: a task may continue in another thread, and may query the number of threads and its own index.
#include "frontend/protected_call.h"
#include "frontend/tbb/tasks.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/code_classes.hpp"

namespace heddle::tbb {
namespace {

// task_arena::execute: if the arena has no slot for the calling thread, one of its own threads makes the call.
struct Carrier : Delegate {
  const Delegate* real;
  ThreadState* home;
  TaskContext* context;
};

struct Visit {
  const Carrier* carrier;
  TaskContext* before;
  TaskContext context;
  Proxy* outer;
};

void leave(void* data) {
  auto& visit = *static_cast<Visit*>(data);
  ThreadState& thread = *self();
  RuntimeScope scope(thread);
  t_proxy = visit.outer;
  leave_down_to(thread, &visit.context);
  leave_task(thread);
  visit.carrier->context->hold_as(visit.context);
}

bool call(const Delegate* delegate) {
  auto* carrier = static_cast<const Carrier*>(delegate);
  ThreadState* thread = self();
  if (!thread || thread == carrier->home) return carrier->real->table->call(carrier->real);
  Visit visit{carrier, thread->context, {}, t_proxy};
  {
    RuntimeScope scope(*thread);
    visit.context.task = carrier->context->task;
    visit.context.claims = carrier->context->claims;
    visit.context.hold_as(*carrier->context);
    recorder::moved_here(*thread);
    enter_task(*thread, visit.context, address_of(__builtin_frame_address(0)));
  }
  heddle_protected_call(
      [](void* data) {
        const Delegate* real = static_cast<Visit*>(data)->carrier->real;
        real->table->call(real);
      },
      &visit, leave);
  return true;
}
constexpr DelegateTable kCarrierTable{call, {nullptr, nullptr}};

// The division of loops must not depend on the machine: a race that needs two chunks would need two processors.
constexpr int kConcurrencyOfLoops = 16;

CodeClass asker(uptr pc) {
  ThreadState* thread = self();
  return thread && code::g_any ? code::caller(*thread, pc) : CodeClass::kProgram;
}

struct Execution {
  void* arena;
  Carrier carrier;
};

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;

HEDDLE_TBB(void, execute, "7executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE", void* arena,
           tbb::Delegate* delegate) {
  ThreadState* thread = tbb::participant();
  if (!thread) return real_execute(arena, delegate);
  { RuntimeScope scope(*thread); }  // pending accesses belong to this thread
  tbb::Execution execution{arena, {{&tbb::kCarrierTable}, delegate, thread, thread->context}};
  heddle_protected_call(
      [](void* data) {
        auto& call = *static_cast<tbb::Execution*>(data);
        real_execute(call.arena, &call.carrier);
      },
      &execution, [](void*) { RuntimeScope scope(*self()); });
}

HEDDLE_TBB(int, max_concurrency, "15max_concurrencyEPKNS0_2d115task_arena_baseE", const void* arena) {
  const int real = real_max_concurrency(arena);
  return tbb::asker(HEDDLE_CALLER) == CodeClass::kTree ? tbb::kConcurrencyOfLoops : real;
}

// A task that has queried its thread index may use that thread's own data.
//
// The right half of a parallel_scan checks whether it was stolen, and if not continues where the left half has ended.
// It may always be treated as stolen, and then the passes over the data do not depend on the schedule.
HEDDLE_TBB(unsigned short, execution_slot, "14execution_slotEPKNS0_2d114execution_dataE",
           const void* execution_data) {
  const unsigned short slot = real_execution_slot(execution_data);
  ThreadState* thread = tbb::participant();
  if (!thread) return slot;
  const CodeClass asker = tbb::asker(HEDDLE_CALLER);
  if (execution_data) {
    struct ExecutionData {
      void* context;
      unsigned short original_slot;
    };
    const unsigned short original = static_cast<const ExecutionData*>(execution_data)->original_slot;
    return asker == CodeClass::kContainer && slot == original ? static_cast<unsigned short>(slot ^ 1) : slot;
  }
  if (asker == CodeClass::kProgram) claim(*thread, race::kAsked);
  return slot;
}
