// How a try of a finding is executed: as an execution of the verification runtime, or as a checked run on the program's
// own runtime (own_runtime.hpp). The loop over the tries is the same (confirmer.hpp).
#pragma once

#include <string>

#include "confirm/target.hpp"
#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

class Tries {
 public:
  virtual ~Tries() = default;
  // One execution; without a strategy and a goal: a usual one. An error: no other would do better.
  virtual Result<explore::SteeredRun> run(const explore::SteerRequest& request) = 0;

  // Can a schedule of one execution be followed by another? If not there is no witness, and the orders of a race take
  // turns.
  virtual bool follows_schedules() const { return true; }
  // Why the target cannot be looked for in this way; empty: it can.
  virtual std::string refusal(const Target&) const { return ""; }
  // What many of them are called.
  virtual std::string plural() const { return "tries"; }
};

// On the fork server of a program.
class VerificationRuntime : public Tries {
 public:
  // The program captures its output, and outlives this.
  explicit VerificationRuntime(explore::Program& program) : program_(program) {}
  Result<explore::SteeredRun> run(const explore::SteerRequest& request) override {
    return program_.steer(request);
  }

 private:
  explore::Program& program_;
};

}  // namespace heddle::confirm
