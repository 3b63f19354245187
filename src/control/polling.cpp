// Polling: an actor that polls yields to the others after some failed polls. Otherwise an execution might not end, and
// an exploration would enumerate every number of failed polls.
#include "control/control.hpp"
#include "control/core.hpp"
#include "control/state.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

using detail::t_actor;

namespace {

constexpr u64 kMostFailedPolls = 20'000;

// No timed wait will end, and nothing can arrive from outside.
bool only_polls_remain() {
  for (const Actor* actor = g_core.first; actor; actor = actor->next) {
    const bool sleeps = actor->pending.deadline != kNoDeadline && !actor->looks_again;
    if (actor != t_actor && actor->state == State::kWaits && (sleeps || actor->pending.outside)) return false;
  }
  return g_core.away == 0 && !signals_may_come();
}

}  // namespace

void count_failed_poll() {
  if (++g_core.failed_polls > kMostFailedPolls && only_polls_remain()) stalled(Stall::kLivelock);
}

void wait_for_work(const char* what, uptr pc) {
  assume(Assumption::kSpins);
  count_failed_poll();
  u64 seen = g_core.work;
  t_actor->looks_again = true;
  choose({.op = Op::kWait,
          .write = false,
          .enabled = [](void* data) { return g_core.work != *static_cast<u64*>(data); },
          .data = &seen,
          .deadline = t_actor->clock + kPollExploring,
          .what = what,
          .pc = pc});
  t_actor->looks_again = false;
}

void let_others_go(const char* what, uptr pc) {
  t_actor->looks = t_actor->atomics = 0;
  choose({.op = Op::kGoOn, .yields = true, .what = what, .pc = pc});
}

// Enough for a wait that ends between two choices of other actors. After that the others go first: otherwise a loop
// that polls plain memory would not end.
constexpr u32 kMostPauses = 16;

void pause(const char* what, uptr pc, u64 until) {
  pass_time(*t_actor, until);
  note_pause(*t_actor);
  choose({.op = Op::kGoOn, .yields = ++t_actor->pauses > kMostPauses, .what = what, .pc = pc});
}

void yield(const char* what, uptr pc) {
  if (explores())
    pause(what, pc);
  else
    let_others_go(what, pc);
}

void looked(uptr pc) {
  const char* what = "waits for an atomic variable to change";
  if (explores() && t_actor->pending.op == Op::kTryAcquire) {
    auto is_free = [](const Look& look, const Actor& actor) {
      return available(look.object, look.write, &actor);
    };
    const Pending& tried = t_actor->pending;
    looked_at({.object = tried.object, .changed = is_free, .write = tried.write}, tried.pc);
  } else if (explores()) {
    const Look unknown;
    if (has_looked(unknown.object, pc)) wait_for_work(what, pc);
    looked_at(unknown, pc);
  } else if (++t_actor->looks >= kMostLooks || ++t_actor->atomics >= kMostAtomics) {
    let_others_go(what, pc);
  }
}

void looked_unseen(uptr pc) {
  if (++t_actor->looks >= kMostLooks) let_others_go("waits inside of a library", pc);
}

void changed(uptr pc) {
  t_actor->looks = 0;
  g_core.failed_polls = 0;
  something_changed();
  if (explores())
    change_something(*t_actor);
  else if (++t_actor->atomics >= kMostAtomics)
    let_others_go("changes atomic variables", pc);
}

}  // namespace heddle::control
