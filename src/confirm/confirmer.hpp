// Steers a program until a finding is shown, and says what that does to the program.
//
// Each try is one execution of the program's fork server: a plan with another seed (control/steering.hpp). When the goal is reached, the
// execution goes on greedily, so that its effect is seen. Of a race both orders are tried. What was found is the shortest schedule
// (minimise.hpp) that shows it with the worst effect seen.
//
// The two accesses of a race may never meet, though nothing orders them: one is made only after the other was seen to be over, by a relaxed flag. For
// half of the tries they are brought together all the same; then a schedule that has both, one after the other, will do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "confirm/effect.hpp"
#include "confirm/minimise.hpp"
#include "confirm/target.hpp"
#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

enum class Strategy { kDirected, kRandom, kPct };

struct Options {
  Strategy strategy = Strategy::kDirected;
  u32 tries = 100;
  u64 seed = 1;
  u32 changes = 2;  // of PCT: d - 1
  // Of a deadlock: does it matter which locks are held, do others go first before somebody enters the cycle, and are names and context
  // kept though they lead to nothing?
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
  bool never_met =
      false;  // of a race: one access came after the other; what a checked run makes of that is to be asked
  Effect effect;                      // of the witness
  std::optional<Effect> other_order;  // of a race: when the other access comes first
};

class Confirmer {
 public:
  // The program captures its output, and outlives this.
  Confirmer(explore::Program& program, std::string executable, const Options& options);

  Confirmation confirm(const Target& target);

 private:
  explore::SteeredRun run(const explore::SteerRequest& request);
  explore::SteerRequest request_for(const Target& target, u64 seed, bool relaxed = false) const;
  Effect effect_of(const explore::SteeredRun& run) const;
  bool is_shown(const Target& target, const explore::SteeredRun& run, const Effect& effect) const;
  void keep(Confirmation& result, const explore::SteeredRun& run, const Effect& effect, usize shown) const;
  void shorten(const Target& target, Confirmation& result);

  explore::Program& program_;
  const std::string executable_;
  const Options options_;
  explore::SteeredRun usual_;
  bool compares_output_ = false;
  std::vector<control::Place> places_;
  u32 executions_ = 0;
};

}  // namespace heddle::confirm
