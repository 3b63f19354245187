#include "control/guided.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/digits.hpp"
#include "base/system_call.hpp"

namespace heddle::control {
namespace {

Board* g_board = nullptr;
int g_socket = -1;

constexpr u32 kFromTheStart = ~u32{0};

// A replay follows cuts where it finds them again: a changed program, or a checked run, may have others.
bool counts(const Actor* actor, Op op) {
  if (g_board->mode == BoardMode::kExplore || op != Op::kGoOn) return true;
  return g_board->steps < g_board->prefix_length && g_board->expected[g_board->steps] == Op::kGoOn &&
         g_board->prefix[g_board->steps] == actor->number;
}

// Builds the board's message; the C library's functions are intercepted.
class Problem {
 public:
  Problem& text(const char* words) {
    while (*words && size_ + 1 < sizeof g_board->problem) g_board->problem[size_++] = *words++;
    g_board->problem[size_] = 0;
    return *this;
  }
  Problem& number(u32 value) { return text(Digits(value).text()); }
  // A path such as 0.2.1.
  Problem& actor(u32 actor) {
    if (actor == 0) return text("0");
    return this->actor(g_board->names[actor].parent).text(".").number(g_board->names[actor].index);
  }

 private:
  usize size_ = 0;
};

// "step 3 is to be made by 0.1, ..."
Problem step_of(u32 wanted) {
  return Problem().text("step ").number(g_board->steps).text(" is to be made by ").actor(wanted).text(", ");
}
const char* words_of(const Pending& pending) {
  return pending.what[0] ? pending.what : "does something else";
}

Actor* find(u32 number) {
  Actor* actor = first_actor();
  while (actor && actor->number != number) actor = actor->next;
  return actor;
}

// Releases are no steps of a replay. An actor that is to find a lock free waits until the holder reaches its release.
Actor* in_the_way(const Actor* actor) {
  if (actor->pending.op != Op::kTryAcquire || !g_board->finds_free[g_board->steps]) return nullptr;
  const Actor* holds = holder(actor->pending.object, actor->pending.write, actor);
  return holds ? find(holds->number) : nullptr;
}

// The same for one that is to find it held: the holder stops before its release. A checked run has fewer cuts than the
// exploration, so the schedule's cuts alone would lead the holder beyond it.
bool must_hold_on(const Actor* actor) {
  if (!actor->releasing) return false;
  for (u32 i = g_board->steps; i < g_board->prefix_length; ++i) {
    const bool own = g_board->prefix[i] == actor->number;
    if (own && g_board->expected[i] != Op::kGoOn) return false;
    if (own || g_board->expected[i] != Op::kTryAcquire || g_board->finds_free[i]) continue;
    const Actor* tries = find(g_board->prefix[i]);
    // Which lock it will try is known when it is there.
    const bool there = tries && tries->state == State::kWaits && tries->pending.op == Op::kTryAcquire;
    return !there || tries->pending.object == actor->releasing;
  }
  return false;
}

// Skips the next cuts of the schedule that no actor is at, or may pass. `running` is at a cut, or about to choose.
void skip_missing_cuts() {
  if (g_board->mode == BoardMode::kExplore) return;
  while (g_board->steps < g_board->prefix_length && g_board->expected[g_board->steps] == Op::kGoOn) {
    const Actor* actor = find(g_board->prefix[g_board->steps]);
    if (actor && actor->state == State::kWaits && actor->pending.op == Op::kGoOn && enabled(actor) &&
        !must_hold_on(actor))
      return;
    ++g_board->steps;
  }
}

// In a replay, not every cut is a step. Is the actor at the next choice of the schedule, and not somewhere before it?
// An actor that polls may arrive there later than in the exploration and miss the awaited value: the schedule shows
// that the poll succeeded.
bool is_next(const Actor* actor) {
  if (g_board->mode == BoardMode::kExplore) return enabled(actor);
  return (enabled(actor) || actor->looks_again || polls(actor)) &&
         actor->pending.op == g_board->expected[g_board->steps] && !in_the_way(actor);
}

// An actor that is not at a step of the schedule continues until it is: `wanted` first, then those that need not hold
// a lock, `running` last of them.
Actor* before_its_choice(Actor* wanted, Actor* running) {
  auto can = [](const Actor* actor) { return actor && actor->pending.op == Op::kGoOn && enabled(actor); };
  if (can(wanted)) return wanted;
  if (Actor* holds = wanted ? in_the_way(wanted) : nullptr; can(holds)) return holds;
  for (bool holding : {false, true}) {
    for (Actor* actor = first_actor(); actor; actor = actor->next)
      if (actor != running && can(actor) && must_hold_on(actor) == holding) return actor;
    if (can(running) && must_hold_on(running) == holding) return running;
  }
  return nullptr;
}

Actor* next_of_prefix(Actor* running) {
  u32 number = g_board->prefix[g_board->steps];
  Actor* wanted = find(number);
  if (wanted && is_next(wanted)) return wanted;
  if (g_board->mode == BoardMode::kReplay)
    if (Actor* other = before_its_choice(wanted, running)) return other;
  if (!wanted) {
    step_of(number).text("which does not exist (it has ended, or was never created)");
    end_execution(BoardEnd::kDiverged);
  }
  // It timed out, or returned from outside: that is decided elsewhere, and checked in note_step.
  if (!enabled(wanted) && (wanted->pending.deadline != kNoDeadline || wanted->pending.repeats ||
                           wanted->pending.outside || wanted->state == State::kAway))
    return kGreedy.choose(running);
  if (enabled(wanted)) return wanted;  // note_step reports what it does instead
  step_of(number).text("which is not enabled: it ").text(words_of(wanted->pending));
  end_execution(BoardEnd::kDiverged);
}

bool avoided(const Actor* actor) {
  for (u32 i = 0; i < g_board->avoided; ++i)
    if (g_board->avoid[i] == actor->number) return true;
  return false;
}

Actor* ask() {
  g_board->enabled = 0;
  for (Actor* actor = first_actor(); actor; actor = actor->next)
    if (enabled(actor)) g_board->can_go_on[g_board->enabled++] = actor->number;
  auto message = Message::kAsk;
  if (transfer(SYS_write, g_socket, &message, 1) != 1 || transfer(SYS_read, g_socket, &message, 1) != 1)
    end_execution(BoardEnd::kStopped);
  if (g_board->answer == Board::kNobody) end_execution(BoardEnd::kStopped);
  return find(g_board->answer);
}

// A blocked actor is enabled from the end of the last visible step on.
void note_who_is_ready(const Actor* running) {
  u32 last = g_board->steps;
  if (g_board->mode == BoardMode::kExplore)
    while (last > 0 && g_board->trace[last - 1].op == Op::kGoOn) --last;
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (actor->ready_at == 0 && actor->pending.op == Op::kWait && enabled(actor))
      actor->ready_at = actor == running ? kFromTheStart : last;
  }
}

Actor* guided(Actor* running) {
  skip_missing_cuts();
  note_who_is_ready(running);
  look_for_goal();
  if (g_board->steering.debugged == g_board->steps + 1) {
    g_board->steering.debugged = 0;
    heddle_bug_is_next();
  }
  if (g_board->steps < g_board->prefix_length) return next_of_prefix(running);
  if (g_board->steering.strategy != StrategyId::kNone) return steer(running);
  Actor* chosen = kGreedy.choose(running);
  if (g_board->avoided == 0 || !chosen || !avoided(chosen)) return chosen;
  Actor* polite = nullptr;
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (!enabled(actor) || avoided(actor)) continue;
    if (!actor->pending.yields) return actor;
    if (!polite || actor->ran < polite->ran) polite = actor;
  }
  return polite ? polite : ask();
}

u32 number_of(Actor& actor) {
  const u32 parent = actor.parent->number, index = actor.index;
  actor.ready_at = g_board->steps;  // it can start after the step that creates it
  for (u32 i = 1; i < g_board->actors; ++i)
    if (g_board->names[i].parent == parent && g_board->names[i].index == index) return i;
  if (g_board->actors == Board::kMostActors) {
    Problem().text("more than ").number(Board::kMostActors).text(" threads and tasks");
    end_execution(BoardEnd::kFull);
  }
  g_board->names[g_board->actors] = {parent, index};
  return g_board->actors++;
}

StepRecord record_of(const Actor* actor, const Pending& pending) {
  const bool waited = (pending.op == Op::kWait && !pending.takes && actor->ready_at != kFromTheStart) ||
                      pending.op == Op::kStart;
  Outcome outcome = pending.timed ? Outcome::kReady : actor->outcome;
  if (actor->let_go) outcome = Outcome::kTimedOut;
  return {actor->number,
          pending.op,
          pending.write,
          outcome,
          static_cast<u8>((pending.takes ? kTakes : 0) | (pending.repeats ? kRepeats : 0)),
          pending.object,
          pending.repeats ? actor->looks_from
          : waited        ? actor->ready_at
                          : 0,
          pending.sites};
}

bool is_for_another(Actor* running) {
  if (g_board->mode == BoardMode::kReplay) {
    running->pending = {.op = Op::kGoOn};  // its current operation
    running->state = State::kWaits;
    skip_missing_cuts();
    running->state = State::kRuns;
  }
  if (g_board->steps >= g_board->prefix_length || g_board->prefix[g_board->steps] == running->number)
    return false;
  if (g_board->mode == BoardMode::kExplore) return true;
  Actor* wanted = find(g_board->prefix[g_board->steps]);
  return (wanted && is_next(wanted)) || before_its_choice(wanted, running);
}

Scheduler g_guided{.choose = guided, .number = number_of, .explores = true, .leaves_at_cut = is_for_another};

}  // namespace

void follow(Board* board, int socket) {
  g_board = board;
  g_socket = socket;
  g_guided.splits_acquisitions = board->split_acquisitions;
  g_guided.repeats_polls = board->repeat_polls;
  // Others may run forever beside a cycle. An exploration must execute them, too.
  g_guided.stops_at_circles = board->steering.goal == Goal::kDeadlock;
  set_scheduler(&g_guided);
  tell_assumptions(&board->assumptions);
}

Board* board() { return g_board; }

void note_step(Actor* actor, const Pending& pending) {
  if (!counts(actor, pending.op)) {
    actor->ready_at = 0;
    actor->steered.paused = actor->steered.let_go = false;
    return;
  }
  u32 at = g_board->steps;
  if (at == Board::kMostSteps) {
    Problem().text("more than ").number(Board::kMostSteps).text(" steps");
    end_execution(BoardEnd::kFull);
  }
  if (at < g_board->prefix_length && g_board->prefix[at] != actor->number) {
    const Actor* wanted = find(g_board->prefix[at]);
    Problem problem = step_of(g_board->prefix[at]);
    problem.text("which ")
        .text(wanted ? words_of(wanted->pending) : "is not there")
        .text(", but ")
        .actor(actor->number)
        .text(" goes on: it ")
        .text(words_of(pending));
    end_execution(BoardEnd::kDiverged);
  }
  if (at < g_board->prefix_length && g_board->mode == BoardMode::kReplay &&
      g_board->expected[at] != pending.op) {
    step_of(g_board->prefix[at]).text("but not so: it ").text(words_of(pending));
    end_execution(BoardEnd::kDiverged);
  }
  g_board->trace[at] = record_of(actor, pending);
  g_board->steps = at + 1;
  note_for_goal(actor, pending);
  actor->ready_at = 0;
}

namespace {

void note_wait(Actor* actor) {
  if (actor->pending.settle) actor->pending.settle(actor->pending);
  g_board->waits[g_board->waiting++] = record_of(actor, actor->pending);
}

}  // namespace

void note_end(bool endless) {
  if (endless && g_board->mode == BoardMode::kExplore)
    give_up("a thread runs forever at the end of the process, so not all orders can be explored");
  g_board->waiting = 0;
  for (Actor* actor = first_actor(); actor; actor = actor->next) {
    if (actor->state != State::kWaits) continue;
    if (actor->pending.settle) actor->pending.settle(actor->pending);  // was there a wake-up for it?
    const bool taken_away = actor->pending.op == Op::kAcquire || actor->pending.takes;
    if (taken_away) note_wait(actor);
  }
}

void give_up(const char* why) {
  Problem().text(why);
  end_execution(BoardEnd::kFull);
}

void give_up_exploring(const char* why) {
  if (explores() && g_board && g_board->mode == BoardMode::kExplore) give_up(why);
}

void end_execution(BoardEnd end) {
  g_board->end = end;
  if (end == BoardEnd::kDeadlock) note_deadlock();
  if (end == BoardEnd::kLivelock) {
    Problem where;
    where.text("all threads spin without progress");
    for (const Actor* actor = first_actor(); actor; actor = actor->next)
      where.text("; ").actor(actor->number).text(" ").text(words_of(actor->pending));
  }
  for (Actor* actor = first_actor(); actor && end == BoardEnd::kDeadlock; actor = actor->next)
    if (actor->state == State::kWaits) note_wait(actor);
  for (;;) system_call(SYS_exit_group, 0);
}

}  // namespace heddle::control
