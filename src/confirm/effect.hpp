// What a steered execution does to the program, compared with one in which everybody runs as long as it can.
#pragma once

#include <string>

#include "explore/program/program_executor.hpp"

namespace heddle::confirm {

struct Effect {
  // The more, the worse.
  enum class Kind { kNone, kOutput, kExitCode, kEndless, kDeadlock, kAssertion, kCrash } kind = Kind::kNone;
  std::string text;  // a phrase: "prints something else", "assertion failed: ..."
  bool operator==(const Effect&) const = default;
};

// `compares_output`: two usual executions print the same.
Effect effect_of(const explore::SteeredRun& run, const explore::SteeredRun& usual, bool compares_output);

}  // namespace heddle::confirm
