#include "confirm/confirmer.hpp"

#include <algorithm>

#include "confirm/places.hpp"

namespace heddle::confirm {

using control::Goal;
using control::Plan;
using explore::SteeredRun;
using explore::SteerRequest;

namespace {

Goal goal_of(const Target& target) {
  switch (target.kind) {
    case Target::Kind::kRace:
      return Goal::kRace;
    case Target::Kind::kAtomicity:
      return Goal::kAtomicity;
    case Target::Kind::kDeadlock:
      return Goal::kDeadlock;
    case Target::Kind::kMeet:
      return Goal::kMeet;
    case Target::Kind::kEffect:
      break;
  }
  return Goal::kNone;
}

// Without places, chance and priorities take turns.
Plan plan_of(const Target& target, Strategy strategy, u64 seed) {
  if (strategy == Strategy::kRandom) return Plan::kRandom;
  if (strategy == Strategy::kPct) return Plan::kPct;
  if (target.kind == Target::Kind::kEffect) return seed % 2 ? Plan::kRandom : Plan::kPct;
  if (target.kind == Target::Kind::kAtomicity) return Plan::kAtomicity;
  return target.kind == Target::Kind::kDeadlock ? Plan::kDeadlock : Plan::kMeet;
}

bool has_two_orders(const Target& target) { return target.kind == Target::Kind::kRace; }

}  // namespace

Confirmer::Confirmer(explore::Program& program, std::string executable, const Options& options)
    : program_(program), executable_(std::move(executable)), options_(options) {
  usual_ = run({});
  compares_output_ = run({}).output == usual_.output;
}

SteeredRun Confirmer::run(const SteerRequest& request) {
  ++executions_;
  return program_.steer(request);
}

// Names and contexts that differ between executions lead to nothing: after a while who holds any lock at the place will do.
SteerRequest Confirmer::request_for(const Target& target, u64 seed, bool relaxed) const {
  SteerRequest request;
  request.plan = plan_of(target, options_.strategy, seed);
  request.goal = goal_of(target);
  request.seed = seed;
  request.changes = options_.changes;
  request.length = static_cast<u32>(usual_.choices.size());
  request.any_address = target.any_address;
  request.places = places_;
  request.ignores_context = relaxed || !options_.context;
  request.never_yields = !options_.yields;
  for (const Target::Edge& edge : target.edges)
    request.edges.push_back(
        {relaxed ? 0 : edge.lock, relaxed ? 0 : edge.task,
         static_cast<u32>(std::min<usize>(edge.held.size(), control::Steering::kMostHeld))});
  return request;
}

Effect Confirmer::effect_of(const SteeredRun& run) const {
  return confirm::effect_of(run, usual_, compares_output_);
}

void Confirmer::keep(Confirmation& result, const SteeredRun& run, const Effect& effect, usize shown) const {
  result.effect = effect;
  // Without a word of its second access: the first one was the end.
  if (!shown) shown = run.choices.size();
  result.choices.assign(run.choices.begin(), run.choices.begin() + static_cast<std::ptrdiff_t>(shown));
  for (int i = 0; i < 2; ++i) result.actors[i] = run.meeting[i];
}

bool Confirmer::is_shown(const Target& target, const SteeredRun& run, const Effect& effect) const {
  if (target.kind != Target::Kind::kEffect) return run.reached;
  return run.end != explore::End::kDiverged && effect.kind >= options_.wanted;
}

Confirmation Confirmer::confirm(const Target& target) {
  Confirmation result;
  executions_ = 0;
  if (!target.problem.empty()) {
    result.why = target.problem;
    return result;
  }
  auto places = find_places(executable_, target);
  if (!places) {
    result.why = places.error();
    return result;
  }
  places_ = std::move(*places);
  u32 lost = 0;
  for (u32 i = 0; i < options_.tries && !(options_.stops && options_.stops()); ++i) {
    SteerRequest request =
        request_for(target, options_.seed + i, !options_.strict && i >= options_.tries / 2);
    const SteeredRun first = run(request);
    const bool confirmed = result.state == Confirmation::State::kConfirmed;
    if (!confirmed) {
      ++result.tries;
      result.thrashes += first.thrashes;
      result.releases += first.releases;
      result.pauses += first.pauses;
    }
    if (options_.tried) options_.tried(i + 1);
    if (first.end == explore::End::kDiverged) ++lost;
    const Effect effect = effect_of(first);
    if (!is_shown(target, first, effect)) {
      const bool may_follow = target.kind == Target::Kind::kRace && target.certain && !confirmed;
      if (!may_follow || !first.followed || i < options_.tries / 2) continue;
      keep(result, first, effect, first.followed);
      result.never_met = true;
      result.state = Confirmation::State::kConfirmed;
      break;
    }
    if (!confirmed || effect.kind > result.effect.kind) keep(result, first, effect, first.shown);
    if (!confirmed) result.state = Confirmation::State::kConfirmed;
    if (has_two_orders(target)) {
      request.swapped = true;
      const SteeredRun second = run(request);
      const Effect swapped = effect_of(second);
      if (second.reached) {
        if (!confirmed) result.other_order = swapped;
        if (swapped.kind > result.effect.kind) {
          result.other_order = result.effect;
          keep(result, second, swapped, second.shown);
        }
      }
    }
    if (result.effect.kind >= options_.wanted) break;
  }
  if (result.state == Confirmation::State::kConfirmed)
    shorten(target, result);
  else
    result.why = "not shown in " + std::to_string(result.tries) + " tries" +
                 (lost ? ", of which " + std::to_string(lost) + " did not follow" : "");
  result.executions = executions_;
  return result;
}

void Confirmer::shorten(const Target& target, Confirmation& result) {
  result.switches_before = switches(result.choices);
  auto shows = [&](const Choices& choices) {
    if (options_.stops && options_.stops()) return false;
    SteerRequest request = request_for(target, options_.seed);
    request.plan = Plan::kFollow;
    request.prefix = choices;
    const SteeredRun now = run(request);
    const Effect effect = effect_of(now);
    if (now.end == explore::End::kDiverged || effect.kind != result.effect.kind) return false;
    if (result.never_met) return now.followed > 0 && now.followed <= choices.size();
    return is_shown(target, now, effect) && now.shown <= choices.size();
  };
  if (shows(result.choices)) result.choices = minimise(result.choices, shows, options_.most_minimising);
}

}  // namespace heddle::confirm
