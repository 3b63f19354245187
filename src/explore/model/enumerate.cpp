#include "explore/model/enumerate.hpp"

#include <functional>
#include <map>
#include <numeric>
#include <string>

namespace heddle::explore::model {
namespace {

// States are equal if their texts are.
std::string text_of(const State& state) {
  std::string text;
  auto add = [&](u64 number) { text += std::to_string(number) + " "; };
  for (const Actor& actor : state.actors) {
    add(actor.number), add(actor.at), add(static_cast<u64>(actor.value)), add(actor.held.size());
    for (const Held& held : actor.held) add(2 * held.lock + held.write);
    add(actor.seen.size());
    for (const Seen& seen : actor.seen)
      add(seen.at), add(static_cast<u64>(seen.kind)), add(static_cast<u64>(seen.value));
    for (u32 at : actor.acquired_at) add(at);
  }
  text += "|";
  for (int value : state.variables) add(static_cast<u64>(value));
  for (int value : state.semaphores) add(static_cast<u64>(value));
  return text;
}

struct NextAccess {
  bool any = false, write = false, atomic = false;
  u32 variable = 0;
};

NextAccess next_access(const Instruction* i) {
  if (i == nullptr) return {};
  switch (i->kind) {
    case Kind::kRead:
      return {true, false, false, i->index};
    case Kind::kWrite:
      return {true, true, false, i->index};
    case Kind::kAtomicRead:
      return {true, false, true, i->index};
    case Kind::kAtomicWrite:
    case Kind::kAtomicAdd:
      return {true, true, true, i->index};
    default:
      return {};
  }
}

}  // namespace

namespace {

Truth enumerate_states(const Program& program, bool polls_freely) {
  ActorNames names;
  Machine machine(program, names, {.polls_freely = polls_freely});
  Truth truth;
  std::set<std::string> seen;
  std::vector<State> open{machine.start()};
  // Actors are sorted by number: the order of their creation does not distinguish states.
  auto settled = [](State& state) { return text_of(state); };
  seen.insert(settled(open[0]));
  while (!open.empty()) {
    State state = std::move(open.back());
    open.pop_back();
    ++truth.states;
    bool waits = false, goes = false;
    for (u32 a = 0; a < state.actors.size(); ++a) {
      NextAccess mine = next_access(machine.next(state, a));
      for (u32 b = 0; b < a; ++b) {
        NextAccess other = next_access(machine.next(state, b));
        if (mine.any && other.any && mine.variable == other.variable && (mine.write || other.write) &&
            !(mine.atomic && other.atomic))
          truth.race = true;
      }
      waits = waits || (machine.next(state, a) != nullptr && !machine.polls(state, a));
      if (!machine.enabled(state, a)) continue;
      goes = true;
      State after = state;
      machine.execute(after, a, nullptr, 0);
      if (polls_freely) after.actors[a].seen.clear();
      if (seen.insert(settled(after)).second) open.push_back(std::move(after));
    }
    if (waits && !goes) truth.deadlock = true;
  }
  return truth;
}

}  // namespace

Truth enumerate_instructions(const Program& program) {
  Truth truth = enumerate_states(program, true);
  truth.deadlock = enumerate_states(program, false).deadlock;
  return truth;
}

Classes enumerate_interleavings(const Program& program, const Reduction& reduction, Cuts cuts) {
  ActorNames names;
  Machine machine(program, names, cuts);
  struct Interleaving {
    std::vector<Footprint> footprints;
    std::vector<std::vector<u32>> after;
    u64 id;
  };
  std::map<std::vector<ActorNumber>, Interleaving> all;
  std::vector<ActorNumber> actors;
  std::vector<Step> steps;
  std::function<void(const State&)> go_on = [&](const State& state) {
    bool any = false;
    for (u32 a = 0; a < state.actors.size(); ++a) {
      if (!machine.enabled(state, a)) continue;
      any = true;
      State after = state;
      steps.push_back(machine.make_step(after, a, static_cast<u32>(steps.size())));
      actors.push_back(steps.back().actor);
      go_on(after);
      steps.pop_back();
      actors.pop_back();
    }
    if (any) return;
    Interleaving interleaving{{}, {}, all.size()};
    for (const Step& step : steps) {
      interleaving.footprints.push_back(reduction.footprint(step));
      interleaving.after.push_back(step.after);
    }
    all.emplace(actors, std::move(interleaving));
  };
  go_on(machine.start());

  Classes result;
  result.interleavings = result.classes = all.size();
  std::vector<u64> leaders(all.size());
  std::iota(leaders.begin(), leaders.end(), u64{0});
  auto leader = [&](u64 id) {
    while (leaders[id] != id) id = leaders[id] = leaders[leaders[id]];
    return id;
  };
  for (const auto& [sequence, interleaving] : all)
    for (u32 i = 0; i + 1 < sequence.size(); ++i) {
      const std::vector<u32>& after = interleaving.after[i + 1];
      if (sequence[i] == sequence[i + 1] || std::find(after.begin(), after.end(), i) != after.end() ||
          dependent(interleaving.footprints[i], interleaving.footprints[i + 1]))
        continue;
      std::vector<ActorNumber> swapped = sequence;
      std::swap(swapped[i], swapped[i + 1]);
      auto other = all.find(swapped);
      if (other == all.end()) {
        result.closed = false;
        continue;
      }
      u64 a = leader(interleaving.id), b = leader(other->second.id);
      if (a != b) leaders[a] = b, --result.classes;
    }
  return result;
}

std::set<Digest> enumerate_orders(const Program& program, const Reduction& reduction, Cuts cuts) {
  ActorNames names;
  Machine machine(program, names, cuts);
  struct Sequence {
    State state;
    Execution execution;
  };
  std::set<Digest> complete;
  std::map<Digest, Sequence> now;
  now.emplace(Digest{}, Sequence{machine.start(), {}});
  while (!now.empty()) {
    std::map<Digest, Sequence> longer;
    for (const auto& [digest, sequence] : now) {
      bool any = false;
      for (u32 a = 0; a < sequence.state.actors.size(); ++a) {
        if (!machine.enabled(sequence.state, a)) continue;
        any = true;
        Sequence next = sequence;
        u32 at = static_cast<u32>(next.execution.steps.size());
        next.execution.steps.push_back(machine.make_step(next.state, a, at));
        Digest order = Analysis(next.execution, reduction).digest(names);
        longer.emplace(order, std::move(next));
      }
      if (!any) complete.insert(digest);
    }
    now = std::move(longer);
  }
  return complete;
}

}  // namespace heddle::explore::model
