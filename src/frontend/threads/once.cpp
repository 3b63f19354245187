// One-time initialisation: pthread_once (and std::call_once, which uses it), C11 call_once, and the guards of local
// static variables. The initialising thread releases; every later call acquires.
//
// In an exploration, it is a choice which thread initialises: the first arrival excludes all others, so an arrival is
// a step that changes the control until it is done, and only reads it afterwards. Completion is a step, too: later
// arrivals could come before it.
//
// One-time initialisation inside a runtime system (libtbb) orders nothing of the program, so it is no choice. It must
// not be one: the library may hold an invisible lock, and other threads that enter the library would spin there.
#include <pthread.h>
#include <threads.h>

#include "base/hash_map.hpp"
#include "base/spin_lock.hpp"
#include "frontend/controlled.hpp"
#include "frontend/protected_call.h"
#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

// The current call. It is read before the routine runs, so routines that call pthread_once themselves may overwrite
// it, and one that throws leaves nothing to restore.
struct Once {
  void (*routine)();
  void* control;
  uptr caller;
};
__thread Once t_once;

bool is_choice(uptr caller) { return control::explores() && !is_runtime_system(origin_of(caller)); }

void is_done_by_actor(uptr caller, const void* object) {
  if (!control::active() || !is_choice(caller)) return;
  control::choose({.op = control::Op::kChoice,
                   .object = address_of(object),
                   .what = "has completed a one-time routine",
                   .pc = caller});
}

// Controls whose routine threw: it is called again, and happens after the earlier attempts.
SpinLock g_left_lock;
Global<HashMap<bool>> g_left;
bool was_left(const void* control) {
  SpinGuard guard(g_left_lock);
  return g_left->find(address_of(control)) != nullptr;
}
void note_end(const void* control, bool left) {
  SpinGuard guard(g_left_lock);
  if (left)
    (*g_left)[address_of(control)] = true;
  else
    g_left->erase(address_of(control));
}

struct Call {
  Once once;
  bool again;
  bool left = true;
};
void run_routine(void* data) {
  auto* call = static_cast<Call*>(data);
  call->once.routine();
  call->left = false;
}
// A routine that runs for the first time is the first of its control, so the clock of an earlier control at this
// address is discarded.
void publish_end(void* data) {
  const auto* call = static_cast<Call*>(data);
  is_done_by_actor(call->once.caller, call->once.control);
  if (!call->again) threads::renewed(call->once.caller, call->once.control);
  threads::publish_at(call->once.caller, call->once.control);
  note_end(call->once.control, call->left);
}
void run_and_publish() {
  Call call{t_once, was_left(t_once.control)};
  if (call.again) threads::await_at(call.once.caller, call.once.control);
  heddle_protected_call(run_routine, &call, publish_end);
}

// Programs check repeatedly whether initialisation is done. A released clock does not change, so a task that has
// acquired it need not do so again, until the control is another one.
struct Known {
  const void* control;
  u32 epoch;
  u32 reuses;  // of task ids
  order::TaskId task;
};
constexpr usize kKnown = 16;
__thread Known t_known[kKnown];

void await_done(uptr caller, const void* control) {
  ThreadState* thread = participant(caller);
  if (!thread) return;
  order::TaskId task = thread->context->task->id;
  const u32 epoch = rt().syncs.epoch(address_of(control));
  Known& known = t_known[mix(address_of(control)) % kKnown];
  const u32 reuses = rt().order.records().reuses();
  if (known.control == control && known.epoch == epoch && known.reuses == reuses && known.task == task)
    return;
  if (!rt().syncs.find(address_of(control), SyncTable::kOther)) return;
  RuntimeScope scope(*thread);
  await(*thread, address_of(control), SyncTable::kOther);
  known = {control, epoch, reuses, task};
}

// In glibc's word for a control, bit 0 is set while a thread runs the routine.
bool nobody_is_at_it(void* control) { return (*static_cast<volatile int*>(control) & 1) == 0; }

// Bit 1 is set when it is done.
void settle_once(control::Pending& pending) {
  pending.write = (*static_cast<volatile int*>(pending.data) & 2) == 0;
}

void come_as_actor(uptr caller, void* object, bool (*free)(void*), void (*settle)(control::Pending&),
                   const char* what) {
  const bool chosen = is_choice(caller);
  if (!chosen && free(object)) return;
  threads::wait({.takes = chosen,
                 .object = address_of(object),
                 .enabled = free,
                 .data = object,
                 .settle = chosen ? settle : nullptr,
                 .what = what,
                 .pc = caller});
}

template <class RealOnce>
int call_once_by(uptr caller, void* control, void (*routine)(), RealOnce real) {
  if (control::active())
    come_as_actor(caller, control, nobody_is_at_it, settle_once, "arrives at a one-time routine");
  if (!participant(caller)) return real(routine);
  t_once = {routine, control, caller};
  int result = real(run_and_publish);
  await_done(caller, control);
  return result;
}

}  // namespace

HEDDLE_INTERPOSE(int, pthread_once, pthread_once_t* control, void (*routine)()) {
  return call_once_by(HEDDLE_CALLER, control, routine,
                      [=](void (*run)()) { return real_pthread_once(control, run); });
}
HEDDLE_INTERPOSE(void, call_once, once_flag* flag, void (*routine)()) {
  call_once_by(HEDDLE_CALLER, flag, routine, [=](void (*run)()) {
    real_call_once(flag, run);
    return 0;
  });
}

// --- local static variables: compilers first load the guard's byte themselves, as an atomic ----------------

namespace {
// In libstdc++'s word for a guard, bit 8 is set while a thread initialises.
bool nobody_initialises(void* guard) { return (*static_cast<volatile int*>(guard) & 0x100) == 0; }
// Its first byte is set when it is done.
void settle_guard(control::Pending& pending) {
  pending.write = *static_cast<volatile char*>(pending.data) == 0;
}
}  // namespace

HEDDLE_INTERPOSE(int, __cxa_guard_acquire, long long* guard) {
  if (control::active())
    come_as_actor(HEDDLE_CALLER, guard, nobody_initialises, settle_guard,
                  "arrives at the initialisation of a local static");
  // The initialising thread happens after attempts that an exception ended.
  int must_initialise = real___cxa_guard_acquire(guard);
  threads::await_at(HEDDLE_CALLER, guard, SyncTable::kAtomic);
  return must_initialise;
}
HEDDLE_INTERPOSE(void, __cxa_guard_abort, long long* guard) {
  is_done_by_actor(HEDDLE_CALLER, guard);
  threads::publish_at(HEDDLE_CALLER, guard, SyncTable::kAtomic);
  real___cxa_guard_abort(guard);
}
HEDDLE_INTERPOSE(void, __cxa_guard_release, long long* guard) {
  is_done_by_actor(HEDDLE_CALLER, guard);
  threads::publish_at(HEDDLE_CALLER, guard, SyncTable::kAtomic);
  real___cxa_guard_release(guard);
}
