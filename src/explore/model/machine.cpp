#include "explore/model/machine.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::explore::model {
namespace {

bool atomic(Kind kind) {
  return kind == Kind::kAtomicRead || kind == Kind::kAtomicWrite || kind == Kind::kAtomicAdd;
}

bool excluded(const State& state, u32 lock, u32 actor, bool write) {
  for (u32 other = 0; other < state.actors.size(); ++other)
    if (other != actor)
      for (const Held& held : state.actors[other].held)
        if (held.lock == kLocks + lock && (held.write || write)) return true;
  return false;
}

bool plain(Kind kind) { return kind == Kind::kRead || kind == Kind::kWrite; }

// The actor changed something that others can see.
void change(Actor& actor) {
  actor.seen.clear();
  for (u32& at : actor.acquired_at) at = Actor::kChanged;
}

Looks looks_of(const std::vector<Seen>& all) {
  Looks looks;
  for (const Seen& seen : all) {
    switch (seen.kind) {
      case Kind::kAtomicRead:
        looks.syncs.push_back({kVariables + 8 * seen.index, false});
        break;
      case Kind::kTimedWait:
        looks.syncs.push_back({kSemaphores + seen.index, false});
        break;
      case Kind::kTryLock:
        looks.locks.push_back({kLocks + seen.index, seen.write});
        break;
      case Kind::kRead:
        looks.reads.push_back({kVariables + 8 * seen.index, 8, false, false, 0, 0});
        looks.held.insert(looks.held.end(), seen.held.begin(), seen.held.end());
        break;
      default:
        break;
    }
  }
  return looks;
}

}  // namespace

// Does a step end before it?
bool Machine::begins_step(Kind kind) const {
  return atomic(kind) || kind == Kind::kLock || kind == Kind::kTryLock || kind == Kind::kJoin ||
         kind == Kind::kPost || kind == Kind::kWait || kind == Kind::kTimedWait || kind == Kind::kPause ||
         (cuts_.at_accesses && plain(kind));
}

// Does a step end after it?
bool Machine::ends_step(Kind kind) const {
  return atomic(kind) || kind == Kind::kUnlock || kind == Kind::kTryLock || kind == Kind::kSpawn ||
         kind == Kind::kPost || kind == Kind::kWait || kind == Kind::kTimedWait || kind == Kind::kPause ||
         (kind == Kind::kLock && cuts_.after_acquisitions);
}

State Machine::start() const {
  State state;
  state.actors.emplace_back();
  skip_jumps(state.actors[0]);
  return state;
}

const Instruction* Machine::next(const State& state, u32 actor) const {
  const Actor& a = state.actors[actor];
  const Body& body = program_.bodies[a.body];
  return a.at < body.size() ? &body[a.at] : nullptr;
}

bool Machine::enabled(const State& state, u32 actor) const {
  return ready(state, actor) && !polls(state, actor);
}

bool Machine::polls(const State& state, u32 actor) const {
  return ready(state, actor) && repeats(state, actor) && !finds_news(state, actor);
}

bool Machine::repeats(const State& state, u32 actor) const {
  const Instruction* i = next(state, actor);
  if (cuts_.polls_freely || i == nullptr) return false;
  const Actor& a = state.actors[actor];
  return std::any_of(a.seen.begin(), a.seen.end(), [&](const Seen& seen) {
    return seen.at == a.at && seen.kind == i->kind && i->kind != Kind::kRead;
  });
}

bool Machine::finds_news(const State& state, u32 actor) const {
  const std::vector<Seen>& all = state.actors[actor].seen;
  return std::any_of(all.begin(), all.end(), [&](const Seen& seen) {
    switch (seen.kind) {
      case Kind::kRead:
      case Kind::kAtomicRead:
        return state.variables[seen.index] != seen.value;
      case Kind::kTimedWait:
        return state.semaphores[seen.index] > 0;
      case Kind::kTryLock:
        return !excluded(state, seen.index, actor, seen.write);
      default:
        return false;
    }
  });
}

bool Machine::ready(const State& state, u32 actor) const {
  const Instruction* i = next(state, actor);
  if (i == nullptr) return false;
  const Actor& a = state.actors[actor];
  switch (i->kind) {
    case Kind::kLock:
      return !excluded(state, i->index, actor, i->write);
    case Kind::kJoin:
      return i->index >= a.children.size() || next(state, a.children[i->index]) == nullptr;
    case Kind::kWait:
      return state.semaphores[i->index] > 0;
    default:
      return true;
  }
}

void Machine::execute(State& state, u32 actor, Step* step, u32 step_number) const {
  const Instruction& i = *next(state, actor);
  const bool again = repeats(state, actor);
  Actor* a = &state.actors[actor];
  if (again) a->seen.clear();
  const u32 at = a->at++;
  auto saw = [&](int value) { a->seen.push_back({at, i.kind, i.index, value, i.write, a->held}); };
  auto access = [&](bool write) {
    const u32 site = 1000 * a->body + a->at;  // races are reported once per pair of sites
    if (step != nullptr)
      step->accesses.push_back({kVariables + 8 * i.index, 8, write, atomic(i.kind), site, 0});
  };
  switch (i.kind) {
    case Kind::kRead:
    case Kind::kAtomicRead:
      a->value = state.variables[i.index];
      access(false);
      if (i.kind == Kind::kAtomicRead || !a->held.empty()) saw(a->value);
      break;
    case Kind::kWrite:
    case Kind::kAtomicWrite:
      if (i.kind == Kind::kAtomicWrite || !a->held.empty()) change(*a);
      // Small values keep the number of states low.
      state.variables[i.index] = (a->value + i.value) & 3;
      access(true);
      break;
    case Kind::kAtomicAdd:
      change(*a);
      a->value = state.variables[i.index];
      state.variables[i.index] = (a->value + i.value) & 3;
      access(false);
      access(true);
      break;
    case Kind::kLock:
    case Kind::kTryLock:
      if (i.kind == Kind::kTryLock) a->value = !excluded(state, i.index, actor, i.write);
      if (i.kind == Kind::kTryLock && a->value == 0) {
        saw(0);
        break;
      }
      a->held.push_back({kLocks + i.index, i.write});
      a->acquired_at.push_back(at);
      break;
    case Kind::kUnlock: {
      auto held = std::find_if(a->held.begin(), a->held.end(),
                               [&](const Held& h) { return h.lock == kLocks + i.index; });
      if (held == a->held.end()) break;
      auto acquired = a->acquired_at.begin() + (held - a->held.begin());
      if (*acquired != Actor::kChanged)
        a->seen.push_back({*acquired, Kind::kLock, i.index, 0, held->write, {}});
      a->acquired_at.erase(acquired);
      a->held.erase(held);
      break;
    }
    case Kind::kSpawn: {
      change(*a);
      Actor child;
      child.body = i.index;
      child.number = names_.find_or_add({a->number, static_cast<u32>(a->children.size())});
      child.spawned_by = step_number;
      skip_jumps(child);
      a->children.push_back(static_cast<u32>(state.actors.size()));
      state.actors.push_back(std::move(child));
      a = &state.actors[actor];
      break;
    }
    case Kind::kJoin:
      change(*a);
      if (step != nullptr && i.index < a->children.size()) {
        const Actor& child = state.actors[a->children[i.index]];
        u32 last = child.last_step != ~u32{0} ? child.last_step : child.spawned_by;
        step->after.push_back(last);
      }
      break;
    case Kind::kPost:
      change(*a);
      ++state.semaphores[i.index];
      break;
    case Kind::kWait:
      change(*a);
      --state.semaphores[i.index];
      break;
    case Kind::kTimedWait:
      a->value = state.semaphores[i.index] > 0;
      if (a->value != 0) {
        change(*a);
        --state.semaphores[i.index];
      } else {
        saw(0);
      }
      break;
    case Kind::kPause:
      break;
    case Kind::kJumpUnless:
      HEDDLE_CHECK(!"jumps are skipped");
  }
  skip_jumps(*a);
}

void Machine::skip_jumps(Actor& actor) const {
  const Body& body = program_.bodies[actor.body];
  usize jumps = 0;  // leaves a loop that consists of jumps alone
  for (; actor.at < body.size() && body[actor.at].kind == Kind::kJumpUnless; ++jumps)
    actor.at =
        actor.value == body[actor.at].value || jumps > body.size() ? actor.at + 1 : body[actor.at].index;
}

Step Machine::begin_step(const State& state, u32 actor) const {
  const Actor& a = state.actors[actor];
  const Instruction& i = *next(state, actor);
  Step step;
  step.actor = step.task = a.number;
  step.held = a.held;
  step.op = a.started ? Op::kGoOn : Op::kStart;
  if (!a.started && a.spawned_by != ~u32{0}) step.after.push_back(a.spawned_by);
  step.write = i.write;
  if (i.kind == Kind::kLock || i.kind == Kind::kTryLock) {
    step.op = i.kind == Kind::kLock ? Op::kAcquire : Op::kTryAcquire;
    step.object = kLocks + i.index;
  } else if (atomic(i.kind)) {
    step.op = Op::kAtomic;
    step.object = kVariables + 8 * i.index;
    step.write = i.kind != Kind::kAtomicRead;
  } else if (i.kind == Kind::kPause) {
    step.op = Op::kGoOn;
  } else if (i.kind == Kind::kPost || i.kind == Kind::kWait || i.kind == Kind::kTimedWait) {
    step.op = i.kind == Kind::kWait ? Op::kWait : Op::kChoice;
    step.object = kSemaphores + i.index;
    step.syncs.push_back({kSemaphores + i.index, true});
  } else if (i.kind == Kind::kJoin) {
    step.op = Op::kWait;
  } else if (cuts_.at_accesses && plain(i.kind)) {
    step.op = Op::kChoice;
    step.object = kVariables + 8 * i.index;
  }
  step.repeats = repeats(state, actor);
  if (step.repeats) step.looks = looks_of(a.seen);
  return step;
}

Step Machine::make_step(State& state, u32 actor, u32 step_number) const {
  Step step = begin_step(state, actor);
  state.actors[actor].started = true;
  state.actors[actor].last_step = step_number;
  std::vector<Held> seen = step.held;
  for (;;) {
    Kind kind = next(state, actor)->kind;
    execute(state, actor, &step, step_number);
    const std::vector<Held>& held = state.actors[actor].held;
    for (const Held& lock : held)
      if (std::find(seen.begin(), seen.end(), lock) == seen.end()) seen.push_back(lock);
    const Instruction* follows = next(state, actor);
    if (follows == nullptr || ends_step(kind) || begins_step(follows->kind)) break;
  }
  const std::vector<Held>& held = state.actors[actor].held;
  auto in = [](const std::vector<Held>& all, const Held& lock) {
    return std::find(all.begin(), all.end(), lock) != all.end();
  };
  for (const Held& lock : seen) {
    bool before = in(step.held, lock), behind = in(held, lock);
    if (!before && behind) step.gained.push_back(lock);
    if (before && !behind) step.given.push_back(lock);
    if (!before && !behind) step.pulsed.push_back(lock);
  }
  if (step.op == Op::kTryAcquire) step.succeeded = !step.gained.empty();
  return step;
}

Execution ModelExecutor::run(const Prefix& prefix, Guide& guide) {
  ++runs_;
  Machine machine(program_, *names, {stepping.split_acquisitions, cut_at_accesses_});
  State state = machine.start();
  Execution execution;
  execution.knows_by_dependence = true;
  std::vector<ActorNumber> avoid = prefix.avoid;
  auto index_of = [&](ActorNumber number) {
    for (u32 i = 0; i < state.actors.size(); ++i)
      if (state.actors[i].number == number) return i;
    return ~u32{0};
  };
  ActorNumber current = 0;
  for (u32 at = 0;; ++at) {
    if (at < prefix.actors.size()) {
      current = prefix.actors[at];
      u32 actor = index_of(current);
      if (actor == ~u32{0} || !machine.enabled(state, actor)) {
        execution.end = End::kDiverged;
        execution.problem =
            "step " + std::to_string(at) + ": actor " + names->path(current) + " cannot go on";
        return execution;
      }
    } else {
      std::vector<ActorNumber> enabled, wanted;
      bool waits = false;
      for (u32 i = 0; i < state.actors.size(); ++i) {
        ActorNumber number = state.actors[i].number;
        if (machine.enabled(state, i)) enabled.push_back(number);
        waits = waits || (machine.next(state, i) != nullptr && !machine.polls(state, i));
        if (machine.enabled(state, i) && std::find(avoid.begin(), avoid.end(), number) == avoid.end())
          wanted.push_back(number);
      }
      if (enabled.empty()) {
        execution.end = waits ? End::kDeadlock : End::kFinished;
        break;
      }
      if (wanted.empty()) {
        std::sort(enabled.begin(), enabled.end());
        current = guide.next(execution, enabled, avoid);
        if (current == Guide::kNobody) {
          execution.end = End::kStopped;
          return execution;
        }
      } else if (std::find(wanted.begin(), wanted.end(), current) == wanted.end()) {
        current = *std::min_element(wanted.begin(), wanted.end());
      }
    }
    execution.steps.push_back(machine.make_step(state, index_of(current), at));
  }
  for (u32 i = 0; i < state.actors.size(); ++i)
    if (machine.next(state, i) != nullptr) execution.waiting.push_back(machine.begin_step(state, i));
  return execution;
}

}  // namespace heddle::explore::model
