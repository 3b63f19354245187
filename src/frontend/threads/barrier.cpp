// Barriers: each thread releases at its arrival and acquires from all others when it leaves.
//
// A fast thread may arrive at the next phase before a slow one has left this one, and the slow one must not acquire
// what it did in between. So every phase has its own object; the last to leave drops it.
#include <pthread.h>

#include "base/hash_map.hpp"
#include "control/guided.hpp"
#include "frontend/controlled.hpp"
#include "frontend/threads/threads.hpp"

namespace {

using namespace heddle;

struct Phase {
  order::SyncObject arrived;
  u32 arrivals = 0;
  u32 departures = 0;
  bool complete = false;  // under the verification runtime: all have arrived
  bool serial_taken = false;
};

struct Barrier {
  u32 count = 0;
  Phase* phase = nullptr;                           // the one that is filling
  Vector<const control::Actor*>* actors = nullptr;  // that have arrived so far, in an exploration
};

SpinLock g_lock;
Global<HashMap<Barrier>> g_barriers;

// The phase of this arrival. Null if the creation of the barrier was not seen.
Phase* arrive(const pthread_barrier_t* at, u32& count) {
  SpinGuard guard(g_lock);
  Barrier* barrier = g_barriers->find(address_of(at));
  if (!barrier) return nullptr;
  count = barrier->count;
  if (!barrier->phase) barrier->phase = memory::make<Phase>();
  Phase* phase = barrier->phase;
  if (++phase->arrivals == count) barrier->phase = nullptr;
  return phase;
}

// Arrivals are no steps of an exploration: their order does not matter if no more threads arrive than the barrier
// counts.
void note_actor(const pthread_barrier_t* at) {
  Barrier* barrier = g_barriers->find(address_of(at));
  if (!barrier || !control::explores()) return;
  const control::Actor* actor = control::current();
  if (!barrier->actors) barrier->actors = memory::make<Vector<const control::Actor*>>();
  for (const control::Actor* known : *barrier->actors)
    if (known == actor) return;
  barrier->actors->push_back(actor);
  if (barrier->actors->size() > barrier->count)
    control::give_up_exploring(
        "more threads wait at a barrier than it counts: their order is not explored yet");
}

bool is_complete(void* phase) { return static_cast<Phase*>(phase)->complete; }

void settle_serial_thread(control::Pending& pending) {
  pending.write = !static_cast<Phase*>(pending.data)->serial_taken;
}

// No thread waits at the real barrier; the last to arrive has a wait, too, so that all executions have the same
// steps. Which thread is the serial one is open: executions in which it is the first to leave are explored only on
// request. n threads are n orders at each barrier, and most programs ignore the result.
int wait_as_actor(uptr caller, const pthread_barrier_t* barrier, Phase* phase, u32 count) {
  note_actor(barrier);
  const bool last = phase->arrivals == count;
  const bool explored = rt().options.every_serial_thread && control::explores();
  if (last) phase->complete = true;
  if (count > 1 && !explored) control::assume(control::Assumption::kSerialThread);
  control::choose({.op = control::Op::kWait,
                   .takes = explored,
                   .object = address_of(barrier),  // in another order a phase may have another address
                   .enabled = is_complete,
                   .data = phase,
                   .settle = explored ? settle_serial_thread : nullptr,
                   .what = "waits at a barrier",
                   .pc = caller});
  const bool first = !phase->serial_taken;
  phase->serial_taken = true;
  return (explored ? first : last) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

void depart(Phase* phase, u32 count) {
  SpinGuard guard(g_lock);
  if (++phase->departures == count) memory::destroy(phase);
}

bool is_shared(const pthread_barrierattr_t* attributes) {
  int shared = PTHREAD_PROCESS_PRIVATE;
  return attributes && pthread_barrierattr_getpshared(attributes, &shared) == 0 &&
         shared == PTHREAD_PROCESS_SHARED;
}

}  // namespace

HEDDLE_INTERPOSE(int, pthread_barrier_init, pthread_barrier_t* barrier,
                 const pthread_barrierattr_t* attributes, unsigned count) {
  int result = real_pthread_barrier_init(barrier, attributes, count);
  // Under the verification runtime, a barrier that other processes may use is really waited at.
  if (result == 0 && participant(HEDDLE_CALLER) && !(control::active() && is_shared(attributes))) {
    SpinGuard guard(g_lock);
    (*g_barriers)[address_of(barrier)] = {count, nullptr};
  }
  return result;
}
HEDDLE_INTERPOSE(int, pthread_barrier_wait, pthread_barrier_t* barrier) {
  ThreadState* thread = participant(HEDDLE_CALLER);
  u32 count = 0;
  Phase* phase = thread ? arrive(barrier, count) : nullptr;
  if (!phase)
    return control::active() ? threads::outside([=] { return real_pthread_barrier_wait(barrier); })
                             : real_pthread_barrier_wait(barrier);
  threads::publish_to(*thread, phase->arrived);
  int result = control::active() ? wait_as_actor(HEDDLE_CALLER, barrier, phase, count)
                                 : real_pthread_barrier_wait(barrier);
  threads::await_on(*thread, phase->arrived);
  depart(phase, count);
  return result;
}
HEDDLE_INTERPOSE(int, pthread_barrier_destroy, pthread_barrier_t* barrier) {
  if (participant(HEDDLE_CALLER)) {
    SpinGuard guard(g_lock);
    g_barriers->erase(address_of(barrier));
  }
  return real_pthread_barrier_destroy(barrier);
}
