// Actors: created, begun and ended; the list of them, and the signal handlers that run in their threads.
#include <sys/syscall.h>

#include "base/check.hpp"
#include "control/control.hpp"
#include "control/core.hpp"
#include "control/state.hpp"
#include "control/strategy.hpp"

namespace heddle::control {

namespace detail {
bool g_on = false;
__thread Actor* t_actor __attribute__((tls_model("initial-exec"))) = nullptr;
__thread u32 t_handlers __attribute__((tls_model("initial-exec"))) = 0;
}  // namespace detail
using detail::t_actor;

void (*before_first_actor)() = nullptr;

namespace {

// Of threads that called begin(): they may begin many actors.
__thread int t_os_id __attribute__((tls_model("initial-exec"))) = 0;

void link(Actor* actor) {
  Actor* after = g_core.last;
  while (after && after->number > actor->number) after = after->previous;
  actor->previous = after;
  actor->next = after ? after->next : g_core.first;
  (actor->next ? actor->next->previous : g_core.last) = actor;
  (after ? after->next : g_core.first) = actor;
  ++g_core.live;
}

void unlink(Actor* actor) {
  (actor->previous ? actor->previous->next : g_core.first) = actor->next;
  (actor->next ? actor->next->previous : g_core.last) = actor->previous;
  --g_core.live;
}

}  // namespace

Actor* first_actor() { return g_core.first; }
u64 steps() { return __atomic_load_n(&g_core.steps, __ATOMIC_RELAXED); }
int running_thread() {
  const Actor* running = __atomic_load_n(&g_core.running, __ATOMIC_RELAXED);
  return running ? running->os_id : 0;
}
void set_scheduler(const Scheduler* scheduler) { g_core.scheduler = scheduler; }
bool explores() { return g_core.scheduler->explores; }
bool follows_names() { return g_core.scheduler->number != nullptr; }

Actor* current() { return t_actor; }
bool ended(const Actor* actor) { return actor->state == State::kEnded; }
u32 number(const Actor* actor) { return actor->number; }

void prepare() {
  if (g_core.actors == 1 && before_first_actor) before_first_actor();
}

Actor* create(const char* what) {
  prepare();
  auto* actor = memory::make<Actor>();
  actor->parent = t_actor;
  actor->index = t_actor->children++;
  actor->what = what;
  actor->number = g_core.scheduler->number ? g_core.scheduler->number(*actor) : g_core.actors;
  ++g_core.actors;
  actor->pending = {.op = Op::kStart, .what = "has not started yet"};
  actor->clock = t_actor->clock;
  change_something(*t_actor);
  SpinGuard guard(g_core.lock);
  something_changed();
  g_core.failed_polls = 0;
  link(actor);
  return actor;
}

void start_when_chosen(Actor* actor, void (*start)(void*), void* data) {
  actor->start = start;
  actor->start_data = data;
}

void withdraw(Actor* actor) {
  SpinGuard guard(g_core.lock);
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
  leave_polls(*self);
  t_actor = nullptr;
  g_core.lock.lock();
  self->state = State::kEnded;
  unlink(self);
  something_changed();
  g_core.failed_polls = 0;
  hand_over(decide(nullptr));
}

void wait_for_the_rest() {
  if (!active()) return;
  Actor* self = t_actor;
  g_core.lock.lock();
  self->state = State::kLast;
  ++g_core.at_the_end;
  something_changed();
  g_core.failed_polls = 0;
  if (Actor* next = decide(nullptr); next == self) {
    g_core.lock.unlock();
  } else {
    SignalsBlocked blocked;
    hand_over(next);
    wait_for_baton(self);
  }
  self->state = State::kRuns;
  --g_core.at_the_end;
}

// --- set up ---

void start(u32 threads) {
  g_core.threads = threads;
  auto* actor = memory::make<Actor>();
  actor->what = "initial thread";
  actor->state = State::kRuns;
  actor->begun = true;
  actor->os_id = static_cast<int>(system_call(SYS_gettid));
  g_core.actors = 1;
  link(actor);
  g_core.running = t_actor = actor;
  detail::g_on = true;
}

u32 logical_threads() { return g_core.threads; }

void stop() {
  detail::g_on = false;
  t_actor = nullptr;
  t_os_id = 0;
}

// --- signal handlers ---

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
