// The baton: a futex word per actor, and one function that decides which actor gets it.
//
// A thread that returns from a blocking call (take_baton) does not hold the baton yet, so a spin lock guards the
// decision. If no actor is enabled but one is in a blocking call, the baton is free: the first actor that returns or
// times out takes it.
#include "control/control.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "base/check.hpp"
#include "base/spin_lock.hpp"
#include "base/system_call.hpp"
#include "control/state.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

namespace detail {
bool g_on = false;
__thread Actor* t_actor __attribute__((tls_model("initial-exec"))) = nullptr;
__thread u32 t_handlers __attribute__((tls_model("initial-exec"))) = 0;
}  // namespace detail
using detail::t_actor;

void (*on_step)(u64, Actor*, const Pending&) = nullptr;
void (*on_stall)(Stall) = nullptr;
void (*on_end)(bool) = nullptr;
void (*before_first_actor)() = nullptr;

namespace {

// The values of an actor's baton word, apart from kAsleep.
constexpr u32 kWait = 0, kGo = 1;
constexpr u32 kKeepTime = 2;  // the baton is free: take it when your deadline has passed

SpinLock g_lock;  // guards the decision, and the variables below
const Scheduler* g_scheduler = &kGreedy;
Actor* g_first = nullptr;
Actor* g_last = nullptr;
Actor* g_running = nullptr;  // null: the baton is free
u32 g_actors = 0;            // all that were ever created
u32 g_live = 0, g_away = 0;
u32 g_at_the_end = 0;  // actors at the end of the process: State::kLast
// The number of steps that an actor may make before the process ends without it. Some threads (a periodic
// housekeeper) never end. All steps count: those before the end of the process could go on forever, too.
constexpr u32 kMostBesideTheEnd = 1000;
u64 g_steps = 0;
const Actor* g_stepped = nullptr;  // the actor of the last step
u64 g_work = 0;                    // visible steps, without repeated polls
u32 g_own_assumptions = 0;
u32* g_assumptions = &g_own_assumptions;
u32 g_threads = 0;

// Of threads that called begin(): they may begin many actors.
__thread int t_os_id __attribute__((tls_model("initial-exec"))) = 0;

// --- time -----------------------------------------------------------------------------------------------------------

u64 g_now = 0;                      // without exploration; with it each actor has its own clock
constexpr u64 kLookAtClock = 1000;  // the virtual duration of a call of clock_gettime
// The virtual duration of a poll. It also decides how often an actor polls while another sleeps for a second: a
// hundred thousand times.
constexpr u64 kPoll = 10'000;
// The same in an exploration, where each poll costs more.
constexpr u64 kPollExploring = 1'000'000;

// --- livelock -------------------------------------------------------------------------------------------------------

// Polls since the last change, and the time of that change. Neither alone shows a livelock: polling actors may
// compute in between.
u64 g_polls = 0;
u64 g_changed_at = 0;
// In an exploration: failed polls since an atomic variable changed, an actor began or ended, or the clock was read.
u64 g_vain = 0;
constexpr u64 kMostVain = 20'000;
constexpr u64 kMostPolls = 100'000;
constexpr u64 kMostTime = 3'000'000'000;

u64 used_time() {
  timespec used = {};
  constexpr long kProcessTime = 2;
  system_call(SYS_clock_gettime, kProcessTime, reinterpret_cast<long>(&used));
  return static_cast<u64>(used.tv_sec) * 1'000'000'000 + static_cast<u64>(used.tv_nsec);
}

bool stands_still() {
  if (++g_polls < kMostPolls || g_polls % 1024 != 0) return false;
  if (g_changed_at == 0) g_changed_at = used_time();
  return used_time() - g_changed_at > kMostTime;
}

// --- scheduling -----------------------------------------------------------------------------------------------------

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

u64 time_of(const Actor& actor) { return g_scheduler->explores ? actor.clock : g_now; }

// Ignores whether it is a repeated poll.
bool can_go_on(const Actor& actor) {
  return is_ready(actor) || is_interrupted(actor) || actor.pending.timed ||
         actor.pending.deadline <= time_of(actor);
}

u64 deadline_of(const Actor& actor) {
  return polls(&actor) ? actor.clock + kPollExploring : actor.pending.deadline;
}
// The process is at its end and does not wait for this actor any longer.
bool is_endless(const Actor& actor) { return g_at_the_end != 0 && actor.steps > kMostBesideTheEnd; }

Actor* first_deadline() {
  Actor* first = nullptr;
  for (Actor* actor = g_first; actor; actor = actor->next)
    if (actor->state == State::kWaits && deadline_of(*actor) != kNoDeadline && !is_endless(*actor) &&
        (!first || deadline_of(*actor) < deadline_of(*first)))
      first = actor;
  return first;
}

// Actors that only poll do not count.
bool somebody_sleeps() {
  for (const Actor* actor = g_first; actor; actor = actor->next)
    if (actor->state == State::kWaits && actor->pending.deadline != kNoDeadline && !polls(actor) &&
        !actor->looks_again && !is_endless(*actor))
      return true;
  return false;
}

Actor* first_outside() {
  for (Actor* actor = g_first; actor; actor = actor->next)
    if (actor->state == State::kWaits && actor->pending.outside) return actor;
  return nullptr;
}

Actor* with(Actor* actor, Outcome outcome) {
  actor->outcome = outcome;
  return actor;
}

void count_vain_look();

// No other actor is enabled, so its deadline passes.
Actor* run_out(Actor* actor) {
  const u64 deadline = deadline_of(*actor);
  actor->let_go = polls(actor);
  if (actor->let_go) count_vain_look();
  if (g_scheduler->explores)
    pass_time(*actor, deadline);
  else if (g_now < deadline)
    g_now = deadline;
  return with(actor, actor->let_go ? outcome_of(*actor) : Outcome::kTimedOut);
}

[[noreturn]] void stalled(Stall kind) {
  if (on_stall) on_stall(kind);
  fatal(kind == Stall::kDeadlock ? "the program is in a deadlock: nobody can go on"
                                 : "the program is in a livelock: everybody polls, and nothing changes");
}

// Is the actor in a cycle of actors that wait for each other? Others may run forever beside it (a periodic
// housekeeper).
bool closes_circle(const Actor& actor) {
  const Actor* other = awaited_by(actor);
  for (u32 length = 0; other && other != &actor && length < g_live; ++length) other = awaited_by(*other);
  return other == &actor;
}

// No actor is enabled; returns the one that ends the process, if there is one.
Actor* last_of_all() {
  if (g_at_the_end == 0) return nullptr;
  Actor* last = nullptr;
  bool endless = false;
  for (Actor* actor = g_first; actor; actor = actor->next) {
    if (actor->state == State::kLast && !last) last = actor;
    if (closes_circle(*actor)) stalled(Stall::kDeadlock);
    endless |= actor->state == State::kWaits && is_endless(*actor) && !polls(actor) && !actor->looks_again;
    if (actor->state == State::kAway || (actor->state == State::kWaits && actor->pending.outside))
      assume(Assumption::kCutOff);
  }
  if (on_end) on_end(endless);
  return last;
}

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
    Actor* next = g_scheduler->choose(running);
    if (next && !next->pending.yields) return with(next, outcome_of(*next));
    if (next) {  // all enabled actors only poll
      g_now += kPoll;
      if (g_polls > g_live) {
        if (Actor* timed = first_deadline()) {
          g_polls = 0;
          return run_out(timed);
        }
        if (Actor* outside = first_outside()) return with(outside, Outcome::kOutside);
        if (g_away != 0) system_call(SYS_sched_yield);
      }
      if (stands_still() && g_away == 0 && !signals_may_come()) stalled(Stall::kLivelock);
      return with(next, Outcome::kReady);
    }
    if (!somebody_sleeps())
      if (Actor* last = last_of_all()) return with(last, Outcome::kReady);
    if (Actor* outside = first_outside()) return with(outside, Outcome::kOutside);
    if (g_away != 0 || g_live == 0) return nullptr;
    if (Actor* timed = first_deadline()) return run_out(timed);
    if (!signals_may_come()) stalled(Stall::kDeadlock);
    g_lock.unlock();
    timespec millisecond = {0, 1'000'000};
    system_call(SYS_nanosleep, reinterpret_cast<long>(&millisecond));
    g_lock.lock();
  }
}

void give(Actor* to, u32 word) {
  if (give_and_wake(&to->baton, word) == kKeepTime) futex_wake(&to->baton);
}

// After the decision, with the lock held.
void hand_over(Actor* next) {
  g_running = next;
  if (next) {
    if (auto* start = next->start) {
      next->start = nullptr;
      start(next->start_data);
    }
    give(next, kGo);
  } else if (Actor* timed = first_deadline()) {
    give(timed, kKeepTime);
  }
  g_lock.unlock();
}

// The program's handlers run on the active thread. Two signals cannot wait: the one by which the C library changes
// the user of all threads, and the one that collects a thread's last accesses (frontend/threads/final_flush.cpp).
class SignalsBlocked {
 public:
  SignalsBlocked() {
    constexpr u64 kSetUser = 33, kLastLook = 61;
    u64 mask = ~(u64{1} << (kSetUser - 1) | u64{1} << (kLastLook - 1));
    set(&mask, &before_);
  }
  ~SignalsBlocked() { set(&before_, nullptr); }
  u64 before() const { return before_; }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  static void set(const u64* mask, u64* before) {
    system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(mask), reinterpret_cast<long>(before),
                sizeof(u64));
  }
  u64 before_ = 0;
};

void keep_time(Actor* self) {
  const u64 deadline = deadline_of(*self), now = time_of(*self);
  u64 left = deadline > now ? deadline - now : 0;
  timespec most = {static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
  if (futex_wait(&self->baton, kKeepTime, &most)) return;
  SpinGuard guard(g_lock);
  if (self->baton != kKeepTime) return;
  self->baton = kWait;
  if (g_running) return;
  g_running = run_out(self);
  self->baton = kGo;
}

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

void step(Actor* self) {
  self->state = State::kRuns;
  self->ran = ++g_steps;
  ++self->steps;
  self->in_a_row = self == g_stepped ? self->in_a_row + 1 : 1;
  g_stepped = self;
  if (!self->looks_again && self->pending.op != Op::kGoOn && self->pending.op != Op::kStart) ++g_work;
  if (on_step) on_step(g_steps - 1, self, self->pending);
}

// --- the list -------------------------------------------------------------------------------------------------------

void link(Actor* actor) {
  Actor* after = g_last;
  while (after && after->number > actor->number) after = after->previous;
  actor->previous = after;
  actor->next = after ? after->next : g_first;
  (actor->next ? actor->next->previous : g_last) = actor;
  (after ? after->next : g_first) = actor;
  ++g_live;
}
void unlink(Actor* actor) {
  (actor->previous ? actor->previous->next : g_first) = actor->next;
  (actor->next ? actor->next->previous : g_last) = actor->previous;
  --g_live;
}

}  // namespace

// --- for strategies -------------------------------------------------------------------------------------------------

Actor* first_actor() { return g_first; }
u64 steps() { return __atomic_load_n(&g_steps, __ATOMIC_RELAXED); }
int running_thread() {
  const Actor* running = __atomic_load_n(&g_running, __ATOMIC_RELAXED);
  return running ? running->os_id : 0;
}
void set_scheduler(const Scheduler* scheduler) { g_scheduler = scheduler; }
bool explores() { return g_scheduler->explores; }
bool follows_names() { return g_scheduler->number != nullptr; }

bool enabled(const Actor* actor) {
  if (actor->state != State::kWaits || is_endless(*actor) || !can_go_on(*actor)) return false;
  if (!actor->pending.repeats || actor->let_go) return true;
  // A wait that became ready counts as a change as well.
  return (actor->pending.timed && (is_ready(*actor) || is_interrupted(*actor))) || finds_news(*actor);
}

bool polls(const Actor* actor) { return actor->pending.repeats && can_go_on(*actor); }

void something_changed() {
  g_polls = 0;
  g_changed_at = 0;
}

namespace {

// Before a choice, in an exploration.
void plan(Actor& actor) {
  Pending& pending = actor.pending;
  if (pending.timed) pending.op = Op::kChoice;
  const bool times_out = pending.deadline != kNoDeadline && !pending.timed && !actor.looks_again;
  if (times_out) assume(Assumption::kTimeouts);
  if (pending.timed || pending.op == Op::kAcquire || pending.op == Op::kTryAcquire)
    pending.repeats = has_looked(pending.object, pending.pc) != nullptr;
  if (pending.repeats) assume(Assumption::kSpins);
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
  actor.let_go = false;
}

}  // namespace

// --- choice points --------------------------------------------------------------------------------------------------

// More than a spin lock usually spins; few enough to cost no noticeable time.
constexpr u32 kMostLooks = 64;
// Some polls change something each time (a count of attempts), or acquire a lock.
constexpr u32 kMostAtomics = 4096;

static void note_acquisition_in_a_row(uptr pc) {
  if (!explores() && ++t_actor->atomics >= kMostAtomics) let_others_go("acquires locks again and again", pc);
}

Outcome choose(const Pending& pending) {
  Actor* self = t_actor;
  HEDDLE_CHECK(self && self->state == State::kRuns);
  if (pending.op == Op::kAcquire) note_acquisition_in_a_row(pending.pc);
  self->pending = pending;
  self->pending.timed = pending.timed && explores() && pending.deadline != kNoDeadline;
  if (explores()) plan(*self);
  self->state = State::kWaits;
  g_lock.lock();
  if (g_scheduler->stops_at_circles && closes_circle(*self)) stalled(Stall::kDeadlock);
  if (Actor* next = decide(self); next == self) {
    g_lock.unlock();
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
  if (g_scheduler->leaves_at_cut && g_scheduler->leaves_at_cut(t_actor))
    choose({.op = Op::kGoOn});
  else
    cut_here();
}

void cut_here() {
  t_actor->pending = {.op = Op::kGoOn};
  step(t_actor);
}

bool splits_acquisitions() { return g_scheduler->splits_acquisitions; }

// No timed wait will end, and nothing can arrive from outside.
static bool only_looks_in_vain() {
  for (const Actor* actor = g_first; actor; actor = actor->next) {
    const bool sleeps = actor->pending.deadline != kNoDeadline && !actor->looks_again;
    if (actor != t_actor && actor->state == State::kWaits && (sleeps || actor->pending.outside)) return false;
  }
  return g_away == 0 && !signals_may_come();
}

namespace {
void count_vain_look() {
  if (++g_vain > kMostVain && only_looks_in_vain()) stalled(Stall::kLivelock);
}
}  // namespace

// Otherwise an exploration would enumerate every number of failed polls.
void wait_for_work(const char* what, uptr pc) {
  assume(Assumption::kSpins);
  count_vain_look();
  u64 seen = g_work;
  t_actor->looks_again = true;
  choose({.op = Op::kWait,
          .write = false,
          .enabled = [](void* data) { return g_work != *static_cast<u64*>(data); },
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
  g_vain = 0;
  something_changed();
  if (explores())
    change_something(*t_actor);
  else if (++t_actor->atomics >= kMostAtomics)
    let_others_go("changes atomic variables", pc);
}

void assume(Assumption assumption) {
  if (on()) *g_assumptions |= static_cast<u32>(assumption);
}
void tell_assumptions(u32* bits) {
  *bits |= *g_assumptions;
  g_assumptions = bits;
}

u64 now() {
  g_vain = 0;  // the clock was read: time passes, so the poll can succeed
  if (!explores()) return g_now += kLookAtClock;
  pass_time(*t_actor, t_actor->clock + kLookAtClock);
  return t_actor->clock;
}

// --- actors ---------------------------------------------------------------------------------------------------------

Actor* current() { return t_actor; }
bool ended(const Actor* actor) { return actor->state == State::kEnded; }
u32 number(const Actor* actor) { return actor->number; }

void prepare() {
  if (g_actors == 1 && before_first_actor) before_first_actor();
}

Actor* create(const char* what) {
  prepare();
  auto* actor = memory::make<Actor>();
  actor->parent = t_actor;
  actor->index = t_actor->children++;
  actor->what = what;
  actor->number = g_scheduler->number ? g_scheduler->number(*actor) : g_actors;
  ++g_actors;
  actor->pending = {.op = Op::kStart, .what = "has not started yet"};
  actor->clock = t_actor->clock;
  change_something(*t_actor);
  SpinGuard guard(g_lock);
  something_changed();
  g_vain = 0;
  link(actor);
  return actor;
}

void start_when_chosen(Actor* actor, void (*start)(void*), void* data) {
  actor->start = start;
  actor->start_data = data;
}

void withdraw(Actor* actor) {
  SpinGuard guard(g_lock);
  actor->state = State::kEnded;
  unlink(actor);
}

void begin(Actor* actor) {
  HEDDLE_CHECK(!t_actor);
  t_actor = actor;
  if (t_os_id == 0) t_os_id = static_cast<int>(system_call(SYS_gettid));
  actor->os_id = t_os_id;
  if (__atomic_load_n(&actor->baton, __ATOMIC_ACQUIRE) == kGo) {
    actor->baton = kWait;
  } else {
    SignalsBlocked blocked;
    wait_for_baton(actor);
  }
  actor->begun = true;
  step(actor);
}

void end() {
  Actor* self = t_actor;
  HEDDLE_CHECK(self && self->state == State::kRuns);
  self->held.reset();
  t_actor = nullptr;
  g_lock.lock();
  self->state = State::kEnded;
  unlink(self);
  something_changed();
  g_vain = 0;
  hand_over(decide(nullptr));
}

void wait_for_the_rest() {
  if (!active()) return;
  Actor* self = t_actor;
  g_lock.lock();
  self->state = State::kLast;
  ++g_at_the_end;
  something_changed();
  g_vain = 0;
  if (Actor* next = decide(nullptr); next == self) {
    g_lock.unlock();
  } else {
    SignalsBlocked blocked;
    hand_over(next);
    wait_for_baton(self);
  }
  self->state = State::kRuns;
  --g_at_the_end;
}

// --- blocking calls -------------------------------------------------------------------------------------------------

void leave_baton() {
  SignalsBlocked blocked;
  g_lock.lock();
  t_actor->state = State::kAway;
  ++g_away;
  hand_over(decide(nullptr));
}

void take_baton() {
  Actor* self = t_actor;
  SignalsBlocked blocked;
  self->pending = {.op = Op::kGoOn, .what = "comes back from a blocking call"};
  {
    SpinGuard guard(g_lock);
    --g_away;
    self->state = State::kWaits;
    something_changed();
    if (!g_running) {
      g_running = self;
      self->baton = kGo;
    }
  }
  wait_for_baton(self);
  step(self);
}

// --- set up ---------------------------------------------------------------------------------------------------------

void start(u32 threads) {
  g_threads = threads;
  auto* actor = memory::make<Actor>();
  actor->what = "initial thread";
  actor->state = State::kRuns;
  actor->begun = true;
  actor->os_id = static_cast<int>(system_call(SYS_gettid));
  g_actors = 1;
  link(actor);
  g_running = t_actor = actor;
  detail::g_on = true;
}

u32 logical_threads() { return g_threads; }

void stop() {
  detail::g_on = false;
  t_actor = nullptr;
  t_os_id = 0;
}

// Nested handlers, and the stack pointer at their entry.
constexpr u32 kMostHandlers = 8;
__thread uptr t_handler_frames[kMostHandlers];

// An actor in a blocking call must first take the baton.
void enter_handler(uptr frame) {
  if (t_actor && detail::t_handlers == 0 && t_actor->state == State::kAway) {
    take_baton();
    t_actor->back_for_handler = true;
  }
  if (detail::t_handlers < kMostHandlers) t_handler_frames[detail::t_handlers] = frame;
  ++detail::t_handlers;
}
void jumped_to(uptr stack) {
  while (detail::t_handlers > 0 &&
         (detail::t_handlers > kMostHandlers || t_handler_frames[detail::t_handlers - 1] < stack)) {
    if (t_actor) t_actor->back_for_handler = false;  // the handler also left the blocking call
    --detail::t_handlers;
  }
}
void leave_handler() {
  if (--detail::t_handlers != 0 || !t_actor || !t_actor->back_for_handler) return;
  t_actor->back_for_handler = false;
  leave_baton();
}

}  // namespace heddle::control
