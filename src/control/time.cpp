// Time in an exploration: each actor has a clock that advances with release/acquire, by locks, atomic variables and
// other shared objects. So time never runs backwards along happens-before; and clocks show the same in all executions
// of a class, unless a lock passed on without any other dependence.
#include "base/hash_map.hpp"
#include "control/control.hpp"
#include "control/core.hpp"
#include "control/state.hpp"

namespace heddle::control {
namespace {

constexpr u64 kLookAtClock = 1000;  // the virtual duration of a call of clock_gettime
u64 g_latest = 0;                   // 0: no time has passed for any actor

HashMap<u64>& table() {
  static HashMap<u64>* times = memory::make<HashMap<u64>>();
  return *times;
}

void set_later(u64& clock, u64 time) {
  if (clock < time) clock = time;
}

}  // namespace

void pass_time(Actor& actor, u64 until) {
  set_later(actor.clock, until);
  set_later(g_latest, actor.clock);
}

void acquire_time(Actor& actor, uptr object) {
  if (g_latest == 0) return;
  if (const u64* time = table().find(object)) set_later(actor.clock, *time);
}

void release_time(const Actor& actor, uptr object) {
  if (g_latest != 0) set_later(table()[object], actor.clock);
}

void exchange_time(Actor& actor, const Pending& pending) {
  if (g_latest == 0) return;
  if (pending.op == Op::kAtomic || pending.op == Op::kChoice) {
    acquire_time(actor, pending.object);
    if (pending.write) release_time(actor, pending.object);
  } else if (pending.op == Op::kWait) {
    // Only a join names its actor; after other waits the clock is the latest of all.
    set_later(actor.clock, pending.awaits ? pending.awaits->clock : g_latest);
  }
}

u64 now() {
  g_core.failed_polls = 0;  // the clock was read: time passes, so the poll can succeed
  if (!explores()) return g_core.now += kLookAtClock;
  Actor& self = *detail::t_actor;
  pass_time(self, self.clock + kLookAtClock);
  return self.clock;
}

}  // namespace heddle::control
