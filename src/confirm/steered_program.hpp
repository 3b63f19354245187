// A program whose executions are steered: what `heddle confirm` and `heddle meet` have in common.
#pragma once

#include <string>

#include "confirm/confirmer.hpp"
#include "explore/session/exploration.hpp"

namespace heddle::confirm {

using settings::Settings;

// The words of --strategy, --stop-on and so on, taken out of a command line.
struct SteeringRequest {
  Options options;
  double patience = 10;
  std::string out = ".";  // where schedules go
};
// By the name that --strategy gives; kNone: "directed", the strategy that is directed at the goal.
inline constexpr std::string_view kDirected = "directed";
Result<control::StrategyId> find_strategy(std::string_view name);

// Is `name` one of them? Then it is noted; an error if its value is wrong.
Result<bool> take_steering_option(SteeringRequest& request, const std::string& name,
                                  const std::string& value);
std::string steering_help();

// Starts it under the verification runtime, up to where its executions part; what it prints is captured. Adds serial=1
// to the settings.
Result<explore::StartedProgram> start_steered(Settings& settings, const SteeringRequest& request, u32 jobs);

// SIGINT and SIGTERM: what is confirmed so far is kept.
extern volatile int steering_interrupted;
void stop_at_signals();

// "--name=value" -> name, value.
std::pair<std::string, std::string> split_option(const std::string& word);

}  // namespace heddle::confirm
