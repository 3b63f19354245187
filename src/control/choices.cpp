// Choice points: an actor says what it is about to do, the next actor is decided, and a step begins.
#include "base/check.hpp"
#include "control/control.hpp"
#include "control/core.hpp"
#include "control/guided.hpp"
#include "control/state.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

using detail::t_actor;

void (*on_step)(u64, Actor*, const Pending&) = nullptr;

namespace {

u32 g_own_assumptions = 0;
u32* g_assumptions = &g_own_assumptions;

// Before a choice, in an exploration.
void plan(Actor& actor) {
  Pending& pending = actor.pending;
  if (pending.timed) pending.op = Op::kChoice;
  const bool times_out = pending.deadline != kNoDeadline && !pending.timed && !actor.looks_again;
  if (times_out) assume(Assumption::kTimeouts);
  if (pending.timed || pending.op == Op::kAcquire || pending.op == Op::kTryAcquire)
    pending.repeats = has_looked(pending.object, pending.pc) != nullptr;
  if (pending.repeats) assume(Assumption::kSpins);
  if (!pending.repeats && pending.op != Op::kGoOn && !actor.looks_again) leave_polls(actor);
}

// After a step that began with `pending`, in an exploration.
void explored(Actor& actor, const Pending& pending) {
  const bool timed_out = actor.outcome == Outcome::kTimedOut;
  if (timed_out) {
    pass_time(actor, pending.deadline == kNoDeadline ? 0 : pending.deadline);
    note_pause(actor);
  }
  exchange_time(actor, pending);
  if (pending.op != Op::kGoOn) actor.pauses = 0;
  const bool waits = pending.op == Op::kWait || pending.timed;
  const bool changes = waits ? !timed_out : pending.op == Op::kChoice && !pending.looks;
  if (changes)
    change_something(actor);
  else if (pending.repeats)
    forget_looks(actor);
  if (pending.timed && timed_out) looked_at({.object = pending.object}, pending.pc);
  if (pending.op != Op::kGoOn) actor.polled_alone = actor.let_go;
  actor.let_go = false;
}

void note_acquisition_in_a_row(uptr pc) {
  if (!explores() && ++t_actor->atomics >= kMostAtomics) let_others_go("acquires locks again and again", pc);
}

}  // namespace

void leave_polls(Actor& actor) {
  if (actor.polled_alone && board()) board()->leaves_polls = 1;
  actor.polled_alone = false;
}

void step(Actor* self) {
  self->state = State::kRuns;
  self->ran = ++g_core.steps;
  ++self->steps;
  self->in_a_row = self == g_core.stepped ? self->in_a_row + 1 : 1;
  g_core.stepped = self;
  if (!self->looks_again && self->pending.op != Op::kGoOn && self->pending.op != Op::kStart) ++g_core.work;
  if (on_step) on_step(g_core.steps - 1, self, self->pending);
}

Outcome choose(const Pending& pending) {
  Actor* self = t_actor;
  HEDDLE_CHECK(self && self->state == State::kRuns);
  if (pending.op == Op::kAcquire) note_acquisition_in_a_row(pending.pc);
  self->pending = pending;
  self->pending.timed = pending.timed && explores() && pending.deadline != kNoDeadline;
  if (explores()) plan(*self);
  self->state = State::kWaits;
  g_core.lock.lock();
  if (g_core.scheduler->stops_at_circles && closes_circle(*self)) stalled(Stall::kDeadlock);
  if (Actor* next = decide(self); next == self) {
    g_core.lock.unlock();
  } else {
    SignalsBlocked blocked;
    self->signal_mask = blocked.before();
    hand_over(next);
    wait_for_baton(self);
  }
  self->interrupted &= ~kBySignal;
  if (pending.op == Op::kWait && self->outcome == Outcome::kReady) something_changed();
  if (pending.settle) pending.settle(self->pending);
  step(self);
  if (explores()) explored(*self, self->pending);
  return self->outcome;
}

void interrupt(Actor* actor, Interrupt by) { actor->interrupted |= by; }

void cut() {
  if (g_core.scheduler->leaves_at_cut && g_core.scheduler->leaves_at_cut(t_actor))
    choose({.op = Op::kGoOn});
  else
    cut_here();
}

void cut_here() {
  t_actor->pending = {.op = Op::kGoOn};
  step(t_actor);
}

bool splits_acquisitions() { return g_core.scheduler->splits_acquisitions; }

void about_to_release(uptr lock) {
  if (!active() || !splits_acquisitions() || t_actor->pending.releases || times_held(lock) == 0) return;
  t_actor->releasing = lock;
  cut();
  t_actor->releasing = 0;
}

void assume(Assumption assumption) {
  if (on()) *g_assumptions |= static_cast<u32>(assumption);
}
void tell_assumptions(u32* bits) {
  *bits |= *g_assumptions;
  g_assumptions = bits;
}

}  // namespace heddle::control
