// A program whose executions are steered: what `heddle confirm` and `heddle meet` have in common.
#pragma once

#include <string>

#include "confirm/confirmer.hpp"
#include "explore/session/exploration.hpp"

namespace heddle::confirm {

using settings::Settings;

// What the options of both say.
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
// For --help: their names, and what each does.
std::string strategies_help();

// Starts it under the verification runtime, up to where its executions part; what it prints is captured. Adds serial=1
// to the settings.
Result<explore::StartedProgram> start_steered(Settings& settings, const SteeringRequest& request, u32 jobs);

// SIGINT and SIGTERM: what is confirmed so far is kept.
extern volatile int steering_interrupted;
void stop_at_signals();

}  // namespace heddle::confirm
