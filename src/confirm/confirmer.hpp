// Steers a program until it shows a finding, and determines the effect on the program.
//
// Each try is one execution (tries.hpp): a strategy with another seed (control/steering.hpp). When the goal is
// reached, the execution continues greedily, so that its effect is seen. Both orders of a race are tried. If
// schedules can be followed, the result is the shortest schedule (minimise.hpp) that shows the finding with the worst
// effect seen.
//
// The two accesses of a race may be unordered but never simultaneous: one is made only after a relaxed flag showed
// that the other is complete. Half of the tries still look for a simultaneous pair; after that, a schedule that has
// both, one after the other, is enough.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "confirm/effect.hpp"
#include "confirm/minimise.hpp"
#include "confirm/target.hpp"
#include "confirm/tries.hpp"

namespace heddle::confirm {

struct Options {
  control::StrategyId strategy = control::StrategyId::kNone;  // kNone: the one directed at the goal
  u32 tries = 100;
  u64 seed = 1;
  u32 changes = 2;  // of strategies that count them: PCT's d - 1
  // Of a deadlock: does it matter which locks are held, do threads yield before the first lock of the cycle, and is the
  // matching of locks and tasks never relaxed?
  bool context = true, yields = true, strict = false;
  // Continues until an effect at least as bad is seen.
  Effect::Kind wanted = Effect::Kind::kNone;
  u32 most_minimising = 200;
  std::function<bool()> stops;     // called before each execution
  std::function<void(u32)> tried;  // called after each try
};

struct Confirmation {
  enum class State { kConfirmed, kRefuted, kUndecided } state = State::kUndecided;
  std::string why;                             // if not confirmed
  u32 tries = 0;                               // up to the first that showed it, or all
  u32 executions = 0;                          // in total
  u32 thrashes = 0, releases = 0, pauses = 0;  // up to the first that showed it
  Choices choices;                             // the witness
  usize switches_before = 0;                   // context switches before it was minimised
  explore::ActorNumber actors[2] = {0, 0};
  // Of a race: one access came after the other; a checked run must decide whether they race.
  bool never_met = false;
  Effect effect;                      // of the witness
  std::optional<Effect> other_order;  // of a race: when the other access comes first
};

class Confirmer {
 public:
  // Makes two executions without steering. The tries outlive this.
  Confirmer(Tries& tries, std::string executable, const Options& options);
  // Why executions are impossible from now on; empty: they are possible.
  const std::string& problem() const { return problem_; }

  Confirmation confirm(const Target& target);

 private:
  explore::SteeredRun run(const explore::SteerRequest& request);
  explore::SteerRequest request_for(const Target& target, u32 attempt, bool relaxed) const;
  Effect effect_of(const explore::SteeredRun& run) const;
  bool is_shown(const Target& target, const explore::SteeredRun& run, const Effect& effect) const;
  void keep(Confirmation& result, const explore::SteeredRun& run, const Effect& effect, usize shown) const;
  void try_once(const Target& target, u32 attempt, Confirmation& result);
  void try_other_order(explore::SteerRequest request, bool confirmed, Confirmation& result);
  void shorten(const Target& target, Confirmation& result);

  Tries& tries_;
  const std::string executable_;
  const Options options_;
  explore::SteeredRun usual_;
  bool compares_output_ = false;
  std::vector<control::Place> places_;
  std::string problem_;
  u32 executions_ = 0;
  u32 diverged_ = 0;
};

}  // namespace heddle::confirm
