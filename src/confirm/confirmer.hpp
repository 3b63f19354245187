// Steers a program until a finding is shown, and says what that does to the program.
//
// Each try is one execution (tries.hpp): a strategy with another seed (control/steering.hpp). When the goal is reached,
// the execution goes on greedily, so that its effect is seen. Of a race both orders are tried. Where schedules can be
// followed, what was found is the shortest schedule (minimise.hpp) that shows it with the worst effect seen.
//
// The two accesses of a race may be unordered but never simultaneous: one is made only after the other was seen to be
// over, by a relaxed flag. For half of the tries they are brought together all the same; then a schedule that has both,
// one after the other, will do.
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
  control::StrategyId strategy = control::StrategyId::kNone;  // kNone: the one that is directed at the goal
  u32 tries = 100;
  u64 seed = 1;
  u32 changes = 2;  // of strategies that count them: PCT's d - 1
  // Of a deadlock: does it matter which locks are held, do threads yield before the first lock of the cycle, and is the
  // matching of locks and tasks never relaxed?
  bool context = true, yields = true, strict = false;
  // Goes on until an effect that is as bad is seen.
  Effect::Kind wanted = Effect::Kind::kNone;
  u32 most_minimising = 200;
  std::function<bool()> stops;     // asked before each execution
  std::function<void(u32)> tried;  // told after each try
};

struct Confirmation {
  enum class State { kConfirmed, kRefuted, kUndecided } state = State::kUndecided;
  std::string why;                             // of what is not confirmed
  u32 tries = 0;                               // up to the first that showed it, or all
  u32 executions = 0;                          // in all
  u32 thrashes = 0, releases = 0, pauses = 0;  // up to the first that showed it
  Choices choices;                             // the witness
  usize switches_before = 0;                   // context switches before it was minimised
  explore::ActorNumber actors[2] = {0, 0};
  // Of a race: one access came after the other; a checked run must tell whether they race.
  bool never_met = false;
  Effect effect;                      // of the witness
  std::optional<Effect> other_order;  // of a race: when the other access comes first
};

class Confirmer {
 public:
  // Makes two usual executions. The tries outlive this.
  Confirmer(Tries& tries, std::string executable, const Options& options);
  // Why no execution can be made any more; empty: they can.
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
