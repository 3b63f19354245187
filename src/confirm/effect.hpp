// The effect of a steered execution on the program, compared with a greedy one.
#pragma once

#include <string>

#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

struct Effect {
  // In ascending order of severity.
  enum class Kind { kNone, kOutput, kExitCode, kEndless, kDeadlock, kAssertion, kCrash } kind = Kind::kNone;
  std::string text;  // a phrase: "prints something else", "assertion failed: ..."
  bool operator==(const Effect&) const = default;
};

// `compares_output`: two executions without steering print the same.
Effect effect_of(const explore::SteeredRun& run, const explore::SteeredRun& usual, bool compares_output);

}  // namespace heddle::confirm
