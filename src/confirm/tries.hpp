// The execution of one try: by the verification runtime, or as a checked run on the program's own runtime
// (own_runtime.hpp). The loop over the tries is the same (confirmer.hpp).
#pragma once

#include <string>

#include "confirm/target.hpp"
#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

class Tries {
 public:
  virtual ~Tries() = default;
  // One execution; without a strategy and a goal it is not steered. An error: further tries would fail, too.
  virtual Result<explore::SteeredRun> run(const explore::SteerRequest& request) = 0;

  // Can another execution follow the schedule of this one? If not there is no witness, and the orders of a race
  // alternate.
  virtual bool follows_schedules() const { return true; }
  // Why these tries cannot look for the target; empty: they can.
  virtual std::string refusal(const Target&) const { return ""; }
  // Their name in messages.
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
