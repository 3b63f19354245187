#include "confirm/steered_program.hpp"

#include <csignal>

namespace heddle::confirm {

volatile int steering_interrupted = 0;

void stop_at_signals() {
  for (int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { steering_interrupted = 1; });
}

Result<control::StrategyId> find_strategy(std::string_view name) {
  if (name == kDirected) return control::StrategyId::kNone;
  std::string known{kDirected};
  for (const control::StrategyRow& row : control::kStrategies) {
    if (row.goals != control::kByName) continue;
    if (name == row.name) return row.id;
    known += std::string(", ") + row.name;
  }
  return Error{"there is no strategy '" + std::string(name) + "': there are " + known};
}

std::string strategies_help() {
  std::string text = "strategies:\n  directed    pause tasks at the places of the finding\n";
  for (const control::StrategyRow& row : control::kStrategies) {
    if (row.goals != control::kByName) continue;
    std::string name(row.name);
    name.resize(12, ' ');
    text += "  " + name + row.help + "\n";
  }
  return text;
}

Result<SteeringRequest> steering_of(const settings::Options& options) {
  SteeringRequest request;
  const auto strategy = find_strategy(options.text("strategy"));
  if (!strategy) return Error{strategy.error()};
  request.options.strategy = *strategy;
  const std::string effect = options.text("stop-on");
  request.options.wanted = effect == "crash"    ? Effect::Kind::kCrash
                           : effect == "assert" ? Effect::Kind::kAssertion
                           : effect == "output" ? Effect::Kind::kOutput
                                                : Effect::Kind::kNone;
  request.options.tries = static_cast<u32>(options.number("tries"));
  request.options.seed = options.number("seed");
  request.options.changes = static_cast<u32>(options.number("changes"));
  request.options.most_minimising = static_cast<u32>(options.number("minimise"));
  request.options.context = options.flag("context");
  request.options.yields = options.flag("yields");
  request.options.strict = options.flag("strict");
  request.step_timeout = options.seconds("step-timeout");
  request.out = options.text("out");
  return request;
}

Result<explore::StartedProgram> start_steered(Settings& settings, const SteeringRequest& request, u32 jobs) {
  explore::StartOptions how{jobs, request.step_timeout, {}, {}};
  how.unwanted = [] { return steering_interrupted != 0; };
  how.adapt = [](explore::ProgramOptions& options) { options.captures_output = true; };
  return explore::start_exploration(settings, how, explore::conflict_aware());
}

}  // namespace heddle::confirm
