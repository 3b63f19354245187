#include "confirm/confirmer.hpp"

#include <algorithm>

#include "confirm/places.hpp"

namespace heddle::confirm {

using control::Goal;
using control::StrategyId;
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

// Without places, random and PCT alternate.
StrategyId strategy_of(const Target& target, const Options& options, u64 seed) {
  if (options.strategy != StrategyId::kNone) return options.strategy;
  if (target.kind == Target::Kind::kEffect) return seed % 2 ? StrategyId::kRandom : StrategyId::kPct;
  return control::directed_at(goal_of(target));
}

bool has_two_orders(const Target& target) { return target.kind == Target::Kind::kRace; }

}  // namespace

Confirmer::Confirmer(Tries& tries, std::string executable, const Options& options)
    : tries_(tries), executable_(std::move(executable)), options_(options) {
  usual_ = run({});
  compares_output_ = run({}).output == usual_.output;
}

SteeredRun Confirmer::run(const SteerRequest& request) {
  ++executions_;
  auto result = tries_.run(request);
  if (result) return std::move(*result);
  problem_ = result.error();
  return {};
}

// If names differ between executions, no thread matches the names of the finding; `relaxed` matches any holder of locks
// at the place.
SteerRequest Confirmer::request_for(const Target& target, u32 attempt, bool relaxed) const {
  SteerRequest request;
  request.places = places_;
  control::SteeringInput& steering = request.steering;
  steering.goal = goal_of(target);
  steering.seed = options_.seed + attempt;
  steering.strategy = strategy_of(target, options_, steering.seed);
  steering.attempt = attempt;
  steering.changes = options_.changes;
  steering.length = static_cast<u32>(usual_.choices.size());
  steering.swapped = !tries_.follows_schedules() && has_two_orders(target) ? attempt % 2 : 0;
  steering.any_address = target.any_address;
  steering.ignores_context = relaxed || !options_.context;
  steering.never_yields = !options_.yields;
  for (usize i = 0; i < target.edges.size(); ++i) {
    const Target::Edge& edge = target.edges[i];
    steering.edge[i] = {relaxed ? 0 : edge.lock, relaxed ? 0 : edge.task,
                        static_cast<u32>(std::min<usize>(edge.held.size(), control::Steering::kMostHeld))};
  }
  return request;
}

Effect Confirmer::effect_of(const SteeredRun& run) const {
  return confirm::effect_of(run, usual_, compares_output_);
}

void Confirmer::keep(Confirmation& result, const SteeredRun& run, const Effect& effect, usize shown) const {
  result.effect = effect;
  // The program ended before the second access was recorded: the first access ended it.
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
  executions_ = diverged_ = 0;
  result.why = target.problem.empty() ? tries_.refusal(target) : target.problem;
  if (!result.why.empty()) return result;
  auto places = find_places(executable_, target);
  if (!places) {
    result.why = places.error();
    return result;
  }
  places_ = std::move(*places);
  for (u32 i = 0; i < options_.tries && !(options_.stops && options_.stops()); ++i) {
    try_once(target, i, result);
    if (!problem_.empty() || result.never_met) break;
    if (result.state == Confirmation::State::kConfirmed && result.effect.kind >= options_.wanted) break;
  }
  if (result.state != Confirmation::State::kConfirmed)
    result.why = !problem_.empty()
                     ? problem_
                     : "not shown in " + std::to_string(result.tries) + " " + tries_.plural() +
                           (diverged_ ? ", of which " + std::to_string(diverged_) + " did not follow" : "");
  else if (tries_.follows_schedules())
    shorten(target, result);
  result.executions = executions_;
  return result;
}

void Confirmer::try_once(const Target& target, u32 attempt, Confirmation& result) {
  const bool second_half = attempt >= options_.tries / 2;
  const SteerRequest request = request_for(target, attempt, !options_.strict && second_half);
  const SteeredRun now = run(request);
  const bool confirmed = result.state == Confirmation::State::kConfirmed;
  if (!confirmed) {
    ++result.tries;
    result.thrashes += now.thrashes;
    result.releases += now.releases;
    result.pauses += now.pauses;
  }
  if (options_.tried) options_.tried(attempt + 1);
  if (now.end == explore::End::kDiverged) ++diverged_;
  if (!problem_.empty()) return;
  const Effect effect = effect_of(now);
  if (!is_shown(target, now, effect)) {
    const bool may_follow = target.kind == Target::Kind::kRace && target.certain && !confirmed;
    if (!may_follow || !now.followed || !second_half) return;
    keep(result, now, effect, now.followed);
    result.never_met = true;
    result.state = Confirmation::State::kConfirmed;
    return;
  }
  if (!confirmed || effect.kind > result.effect.kind) keep(result, now, effect, now.shown);
  result.state = Confirmation::State::kConfirmed;
  if (has_two_orders(target) && tries_.follows_schedules()) try_other_order(request, confirmed, result);
}

void Confirmer::try_other_order(SteerRequest request, bool confirmed, Confirmation& result) {
  request.steering.swapped = true;
  const SteeredRun now = run(request);
  const Effect effect = effect_of(now);
  if (!now.reached) return;
  if (!confirmed) result.other_order = effect;
  if (effect.kind > result.effect.kind) {
    result.other_order = result.effect;
    keep(result, now, effect, now.shown);
  }
}

void Confirmer::shorten(const Target& target, Confirmation& result) {
  result.switches_before = switches(result.choices);
  auto shows = [&](const Choices& choices) {
    if (options_.stops && options_.stops()) return false;
    SteerRequest request = request_for(target, 0, false);
    request.steering.strategy = StrategyId::kNone;
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
