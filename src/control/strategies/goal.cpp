// Was the goal reached? Evaluated before every choice and after every step, with any strategy.
//
// A race, as RaceFuzzer defines it: two actors are about to access the same bytes, and one of them writes. Both are
// enabled, so no lock and no happens-before edge separates the accesses.
#include "control/guided.hpp"
#include "control/strategies/steered.hpp"

namespace heddle::control {
namespace {

SplitMix64 g_random;
bool g_seeded = false;

// After two actors have met: the order in which they run.
Actor* g_next[2] = {nullptr, nullptr};

bool meet(const Actor* a, const Actor* b) {
  const Pending &x = a->pending, &y = b->pending;
  if (!(x.sites & 1) || !(y.sites & 2)) return false;
  if (steering().goal == Goal::kMeet) return true;
  return (x.write || y.write) && overlap(x.object, x.size, y.object, y.size);
}

void have_met(Actor* a, Actor* b) {
  Steering& s = steering();
  s.reached = 1;
  s.meeting[0] = a->number;
  s.meeting[1] = b->number;
  g_next[0] = s.swapped ? b : a;
  g_next[1] = s.swapped ? a : b;
}

// The latest accesses at each of the two sites of a race; their actors may have ended.
struct Made {
  u32 actor;
  uptr address;
  u32 size;
  bool write;
};
constexpr u32 kMade = 64;  // only some of a loop's accesses are kept
Made g_made[2][kMade];
u32 g_made_count[2] = {0, 0};

// Did another actor make the other access before?
void note_access(const Actor* actor, const Pending& pending) {
  for (u32 site = 0; site < 2; ++site) {
    if (!(pending.sites & 1u << site)) continue;
    const u32 others = g_made_count[1 - site] < kMade ? g_made_count[1 - site] : kMade;
    for (u32 i = 0; i < others && !steering().followed; ++i) {
      const Made& before = g_made[1 - site][i];
      if (before.actor != actor->number && (pending.write || before.write) &&
          overlap(pending.object, pending.size, before.address, before.size))
        steering().followed = board()->steps;
    }
    g_made[site][g_made_count[site]++ % kMade] = {actor->number, pending.object, pending.size, pending.write};
  }
}

void note_pair(Actor* actor, const Pending& pending) {
  Steered& own = actor->steered;
  const bool same = steering().any_address || overlap(pending.object, pending.size, own.address, own.size);
  if ((pending.sites & 4) && own.between && same) {
    if (own.intruded && !steering().reached) {
      steering().reached = 1;
      steering().shown = board()->steps;
      steering().meeting[0] = actor->number;
    }
    own.between = own.intruded = false;
  }
  for (Actor* other = first_actor(); other && (pending.sites & 2); other = other->next)
    if (other != actor && other->steered.between &&
        (steering().any_address ||
         overlap(pending.object, pending.size, other->steered.address, other->steered.size))) {
      other->steered.intruded = true;
      if (!steering().reached) steering().meeting[1] = actor->number;
    }
  if (pending.sites & 1) {
    own.between = true;
    own.intruded = false;
    own.address = pending.object;
    own.size = pending.size;
  }
}

}  // namespace

extern "C" __attribute__((noinline, used)) void heddle_bug_is_next() { asm volatile(""); }

Steering& steering() { return board()->steering; }

SplitMix64& random_numbers() {
  if (!g_seeded) {
    g_seeded = true;
    g_random = SplitMix64(steering().seed);
  }
  return g_random;
}

Actor* Strategy::choose(Actor* running) { return kGreedy.choose(running); }

namespace {

template <class Condition>
u32 sites_at(const Steering& steering, uptr pc, Condition condition) {
  const u64 at = pc - 1 - steering.bias;
  u32 sites = 0;
  for (u32 i = 0; i < steering.places; ++i) {
    const Place& place = steering.place[i];
    if (place.begin <= at && at < place.end && condition(place)) sites |= 1u << place.site;
  }
  return sites;
}

// The actor that one at a site waits for, if that is blocked at a site, too.
const Actor* next_in_circle(const Actor* actor) {
  if (actor->state != State::kWaits || actor->pending.op != Op::kAcquire || enabled(actor)) return nullptr;
  return holder(actor->pending.object, actor->pending.write, actor);
}

}  // namespace

u64 (*name_of_lock)(uptr lock) = nullptr;
u64 (*name_of_task)(const Actor* actor) = nullptr;

u32 sites_of_access(const Steering& steering, uptr pc, bool write) {
  return sites_at(steering, pc, [&](const Place& place) { return write ? place.write : place.read; });
}
u32 sites_of_acquisition(const Steering& steering, uptr pc) {
  return sites_at(steering, pc, [](const Place& place) { return place.acquire; });
}
u32 held_at_site(const Steering& steering, u32 site, uptr pc) {
  const u64 at = pc - 1 - steering.bias;
  u32 held = 0;
  for (u32 i = 0; i < steering.places; ++i) {
    const Place& place = steering.place[i];
    if (place.held && place.site == site && place.begin <= at && at < place.end)
      held |= 1u << (place.held - 1);
  }
  return held;
}

// The cycle is closed if actors that wait for each other's locks in a cycle are blocked at its sites, in this order.
void note_deadlock() {
  if (steering().goal != Goal::kDeadlock) return;
  const u32 length = steering().sites;
  for (const Actor* first = first_actor(); first; first = first->next) {
    const Actor* actor = first;
    u32 edge = 0;
    for (; actor && edge < length; actor = next_in_circle(actor), ++edge)
      if (!next_in_circle(actor) || !(sites_of_acquisition(steering(), actor->pending.pc) & 1u << edge))
        break;
    if (edge < length || actor != first) continue;
    steering().reached = 1;
    steering().shown = board()->steps;
    return;
  }
}

void look_for_goal() {
  const Goal goal = steering().goal;
  if ((goal != Goal::kRace && goal != Goal::kMeet) || steering().reached) return;
  for (Actor* a = first_actor(); a; a = a->next) {
    if (!at_site(a)) continue;
    for (Actor* b = first_actor(); b; b = b->next)
      if (b != a && at_site(b) && meet(a, b)) return have_met(a, b);
  }
}

void note_for_goal(Actor* actor, const Pending& pending) {
  actor->steered.paused = actor->steered.let_go = actor->steered.yielded = false;
  if (pending.op != Op::kAccess) return;
  if (steering().goal == Goal::kAtomicity) return note_pair(actor, pending);
  if (steering().goal == Goal::kRace) note_access(actor, pending);
  for (u32 i = 0; i < 2; ++i)
    if (g_next[i] == actor) {
      g_next[i] = nullptr;
      if (i == 1) steering().shown = board()->steps;
    }
}

namespace {

Strategy* strategy_of(StrategyId id) {
  switch (id) {
#define STRATEGY(id, function, ...) \
  case StrategyId::id:              \
    return &strategies::function();
#include "control/strategy_registry.inc"
#undef STRATEGY
    case StrategyId::kNone:
      break;
  }
  return nullptr;
}

}  // namespace

Actor* steer(Actor* running) {
  for (Actor* actor : g_next)
    if (actor) return actor;
  Strategy* strategy = steering().reached ? nullptr : strategy_of(steering().strategy);
  return strategy ? strategy->choose(running) : kGreedy.choose(running);
}

}  // namespace heddle::control
