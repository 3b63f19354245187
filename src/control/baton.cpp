// The baton: a futex word per actor, and one function that decides which actor gets it.
//
// A thread that returns from a blocking call (take_baton) does not hold the baton yet, so a spin lock guards the
// decision. If no actor is enabled but one is in a blocking call, the baton is free: the first actor that returns or
// times out takes it.
#include <signal.h>
#include <sys/syscall.h>

#include "control/control.hpp"
#include "control/core.hpp"
#include "control/state.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

using detail::t_actor;

namespace {

void set_signal_mask(const u64* mask, u64* before) {
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(mask), reinterpret_cast<long>(before),
              sizeof(u64));
}

void give(Actor* to, u32 word) {
  if (give_and_wake(&to->baton, word) == kKeepTime) futex_wake(&to->baton);
}

}  // namespace

SignalsBlocked::SignalsBlocked() {
  constexpr u64 kSetUser = 33, kFinalFlush = 61;
  const u64 mask = ~(u64{1} << (kSetUser - 1) | u64{1} << (kFinalFlush - 1));
  set_signal_mask(&mask, &before_);
}
SignalsBlocked::~SignalsBlocked() { set_signal_mask(&before_, nullptr); }

void hand_over(Actor* next) {
  g_core.running = next;
  if (next) {
    if (auto* start = next->start) {
      next->start = nullptr;
      start(next->start_data);
    }
    give(next, kGo);
  } else if (Actor* timed = first_deadline()) {
    give(timed, kKeepTime);
  }
  g_core.lock.unlock();
}

namespace {

void keep_time(Actor* self) {
  const u64 deadline = deadline_of(*self), now = time_of(*self);
  u64 left = deadline > now ? deadline - now : 0;
  timespec most = {static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
  if (futex_wait(&self->baton, kKeepTime, &most)) return;
  SpinGuard guard(g_core.lock);
  if (self->baton != kKeepTime) return;
  self->baton = kWait;
  if (g_core.running) return;
  g_core.running = run_out(self);
  self->baton = kGo;
}

}  // namespace

void wait_for_baton(Actor* self) {
  for (;;) {
    u32 word = __atomic_load_n(&self->baton, __ATOMIC_ACQUIRE);
    if (word == kGo) break;
    if (word == kKeepTime)
      keep_time(self);
    else
      sleep_while(&self->baton, kWait);
  }
  self->baton = kWait;
  // Before signals are unblocked: a handler may not return, and the next one must find an active actor.
  self->state = State::kRuns;
}

void leave_baton() {
  SignalsBlocked blocked;
  g_core.lock.lock();
  t_actor->state = State::kAway;
  ++g_core.away;
  hand_over(decide(nullptr));
}

void take_baton() {
  Actor* self = t_actor;
  SignalsBlocked blocked;
  self->pending = {.op = Op::kGoOn, .what = "comes back from a blocking call"};
  {
    SpinGuard guard(g_core.lock);
    --g_core.away;
    self->state = State::kWaits;
    something_changed();
    if (!g_core.running) {
      g_core.running = self;
      self->baton = kGo;
    }
  }
  wait_for_baton(self);
  step(self);
}

}  // namespace heddle::control
