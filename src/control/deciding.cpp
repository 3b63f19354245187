// Which actor goes on: the scheduler's choice among the enabled ones; without one, the first that times out, hears
// from outside, or ends the process. If there is none, the program is in a deadlock or a livelock.
#include <sys/syscall.h>
#include <sys/time.h>

#include "base/check.hpp"
#include "control/control.hpp"
#include "control/core.hpp"
#include "control/state.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

constinit Core g_core;

void (*on_stall)(Stall) = nullptr;
void (*on_end)(bool) = nullptr;

namespace {

// The number of steps that an actor may make before the process ends without it. Some threads (a periodic
// housekeeper) never end. All steps count: those before the end of the process could go on forever, too.
constexpr u32 kMostBesideTheEnd = 1000;

// The virtual duration of a poll. It also decides how often an actor polls while another sleeps for a second: a
// hundred thousand times.
constexpr u64 kPoll = 10'000;

constexpr u64 kMostPolls = 100'000;
constexpr u64 kMostTime = 3'000'000'000;

u64 used_time() {
  timespec used = {};
  constexpr long kProcessTime = 2;
  system_call(SYS_clock_gettime, kProcessTime, reinterpret_cast<long>(&used));
  return static_cast<u64>(used.tv_sec) * 1'000'000'000 + static_cast<u64>(used.tv_nsec);
}

bool is_livelock() {
  if (++g_core.polls < kMostPolls || g_core.polls % 1024 != 0) return false;
  if (g_core.changed_at == 0) g_core.changed_at = used_time();
  return used_time() - g_core.changed_at > kMostTime;
}

bool is_ready(const Actor& actor) {
  return !actor.pending.enabled || actor.pending.enabled(actor.pending.data);
}
bool is_interrupted(const Actor& actor) { return (actor.interrupted & actor.pending.interruptible) != 0; }

Outcome outcome_of(const Actor& actor) {
  if (is_ready(actor)) return Outcome::kReady;
  if (!is_interrupted(actor)) return Outcome::kTimedOut;
  return actor.interrupted & actor.pending.interruptible & kByCancellation ? Outcome::kCancelled
                                                                           : Outcome::kInterrupted;
}

// Ignores whether it is a repeated poll.
bool can_go_on(const Actor& actor) {
  return is_ready(actor) || is_interrupted(actor) || actor.pending.timed ||
         actor.pending.deadline <= time_of(actor);
}

// The process is at its end and does not wait for this actor any longer.
bool is_endless(const Actor& actor) { return g_core.at_the_end != 0 && actor.steps > kMostBesideTheEnd; }

// Actors that only poll do not count.
bool any_sleeps() {
  for (const Actor* actor = g_core.first; actor; actor = actor->next)
    if (actor->state == State::kWaits && actor->pending.deadline != kNoDeadline && !polls(actor) &&
        !actor->looks_again && !is_endless(*actor))
      return true;
  return false;
}

Actor* first_outside() {
  for (Actor* actor = g_core.first; actor; actor = actor->next)
    if (actor->state == State::kWaits && actor->pending.outside) return actor;
  return nullptr;
}

Actor* with(Actor* actor, Outcome outcome) {
  actor->outcome = outcome;
  return actor;
}

}  // namespace

u64 time_of(const Actor& actor) { return g_core.scheduler->explores ? actor.clock : g_core.now; }

u64 deadline_of(const Actor& actor) {
  return polls(&actor) ? actor.clock + kPollExploring : actor.pending.deadline;
}

Actor* first_deadline() {
  Actor* first = nullptr;
  for (Actor* actor = g_core.first; actor; actor = actor->next)
    if (actor->state == State::kWaits && deadline_of(*actor) != kNoDeadline && !is_endless(*actor) &&
        (!first || deadline_of(*actor) < deadline_of(*first)))
      first = actor;
  return first;
}

// No other actor is enabled, so its deadline passes.
Actor* run_out(Actor* actor) {
  const u64 deadline = deadline_of(*actor);
  actor->let_go = polls(actor);
  if (actor->let_go) count_failed_poll();
  if (g_core.scheduler->explores)
    pass_time(*actor, deadline);
  else if (g_core.now < deadline)
    g_core.now = deadline;
  return with(actor, actor->let_go ? outcome_of(*actor) : Outcome::kTimedOut);
}

[[noreturn]] void stalled(Stall kind) {
  if (on_stall) on_stall(kind);
  fatal(kind == Stall::kDeadlock ? "the program is in a deadlock: no thread can run"
                                 : "the program is in a livelock: all threads poll, and nothing changes");
}

// Is the actor in a cycle of actors that wait for each other? Others may run forever beside it (a periodic
// housekeeper).
bool closes_circle(const Actor& actor) {
  const Actor* other = awaited_by(actor);
  for (u32 length = 0; other && other != &actor && length < g_core.live; ++length) other = awaited_by(*other);
  return other == &actor;
}

namespace {

// No actor is enabled; returns the one that ends the process, if there is one.
Actor* last_of_all() {
  if (g_core.at_the_end == 0) return nullptr;
  Actor* last = nullptr;
  bool endless = false;
  for (Actor* actor = g_core.first; actor; actor = actor->next) {
    if (actor->state == State::kLast && !last) last = actor;
    if (closes_circle(*actor)) stalled(Stall::kDeadlock);
    endless |= actor->state == State::kWaits && is_endless(*actor) && !polls(actor) && !actor->looks_again;
    if (actor->state == State::kAway || (actor->state == State::kWaits && actor->pending.outside))
      assume(Assumption::kCutOff);
  }
  if (on_end) on_end(endless);
  return last;
}

}  // namespace

// A signal handler may do what all actors wait for.
bool signals_may_come() {
  itimerval timer = {};
  system_call(SYS_getitimer, ITIMER_REAL, reinterpret_cast<long>(&timer));
  if (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0) return true;
  // The other timers of the process; none if the kernel does not list them.
  constexpr long kHere = -100, kReadOnly = 0;
  long list = system_call(SYS_openat, kHere, reinterpret_cast<long>("/proc/self/timers"), kReadOnly);
  if (list < 0) return false;
  char first;
  bool any = system_call(SYS_read, list, reinterpret_cast<long>(&first), 1) == 1;
  system_call(SYS_close, list);
  return any;
}

// Null: no actor is enabled, but one is in a blocking call. Holds the lock, and releases it while it waits for a
// signal.
Actor* decide(Actor* running) {
  for (;;) {
    Actor* next = g_core.scheduler->choose(running);
    if (next && !next->pending.yields) return with(next, outcome_of(*next));
    if (next) {  // all enabled actors only poll
      g_core.now += kPoll;
      if (g_core.polls > g_core.live) {
        if (Actor* timed = first_deadline()) {
          g_core.polls = 0;
          return run_out(timed);
        }
        if (Actor* outside = first_outside()) return with(outside, Outcome::kOutside);
        if (g_core.away != 0) system_call(SYS_sched_yield);
      }
      if (is_livelock() && g_core.away == 0 && !signals_may_come()) stalled(Stall::kLivelock);
      return with(next, Outcome::kReady);
    }
    if (!any_sleeps())
      if (Actor* last = last_of_all()) return with(last, Outcome::kReady);
    if (Actor* outside = first_outside()) return with(outside, Outcome::kOutside);
    if (g_core.away != 0 || g_core.live == 0) return nullptr;
    if (Actor* timed = first_deadline()) return run_out(timed);
    if (!signals_may_come()) stalled(Stall::kDeadlock);
    g_core.lock.unlock();
    timespec millisecond = {0, 1'000'000};
    system_call(SYS_nanosleep, reinterpret_cast<long>(&millisecond));
    g_core.lock.lock();
  }
}

bool enabled(const Actor* actor) {
  if (actor->state != State::kWaits || is_endless(*actor) || !can_go_on(*actor)) return false;
  if (!actor->pending.repeats || actor->let_go) return true;
  // A wait that became ready counts as a change as well.
  return (actor->pending.timed && (is_ready(*actor) || is_interrupted(*actor))) || finds_news(*actor);
}

bool polls(const Actor* actor) { return actor->pending.repeats && can_go_on(*actor); }

void something_changed() {
  g_core.polls = 0;
  g_core.changed_at = 0;
}

}  // namespace heddle::control
