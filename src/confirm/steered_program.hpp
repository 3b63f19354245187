// A program whose executions are steered: the common part of `heddle confirm` and `heddle meet`.
#pragma once

#include <string>

#include "confirm/confirmer.hpp"
#include "explore/session/exploration.hpp"

namespace heddle::confirm {

using settings::Settings;

// The options of both.
struct SteeringRequest {
  Options options;
  double step_timeout = 10;
  std::string out = ".";  // where schedules go
};
// An error if there is no such strategy.
Result<SteeringRequest> steering_of(const settings::Options& options);

// By the name that --strategy gives; kNone: "directed", the strategy that is directed at the goal.
inline constexpr std::string_view kDirected = "directed";
Result<control::StrategyId> find_strategy(std::string_view name);
// For --help: the strategies and their descriptions.
std::string strategies_help();

// Starts the program under the verification runtime, up to its first fork, with captured output. Adds serial=1 to the
// settings.
Result<explore::StartedProgram> start_steered(Settings& settings, const SteeringRequest& request, u32 jobs);

// SIGINT and SIGTERM: keeps what is confirmed so far.
extern volatile int steering_interrupted;
void stop_at_signals();

}  // namespace heddle::confirm
