#include "confirm/steered_program.hpp"

#include <charconv>
#include <csignal>

namespace heddle::confirm {

volatile int steering_interrupted = 0;

void stop_at_signals() {
  for (int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { steering_interrupted = 1; });
}

std::pair<std::string, std::string> split_option(const std::string& word) {
  const usize equals = std::min(word.find('='), word.size());
  return {word.substr(0, equals), word.substr(std::min(equals + 1, word.size()))};
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

Result<bool> take_steering_option(SteeringRequest& request, const std::string& name,
                                  const std::string& value) {
  const auto number = [&](auto& result) -> Result<bool> {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || end != value.data() + value.size())
      return Error{name + " needs a number, not '" + value + "'"};
    return true;
  };
  Options& options = request.options;
  if (name == "--tries") return number(options.tries);
  if (name == "--seed") return number(options.seed);
  if (name == "--changes") return number(options.changes);
  if (name == "--minimise") return number(options.most_minimising);
  if (name == "--patience") return number(request.patience);
  if (name == "--no-context" || name == "--no-yields" || name == "--strict") {
    (name == "--strict"       ? options.strict
     : name == "--no-context" ? options.context
                              : options.yields) = name == "--strict";
    return true;
  }
  if (name == "--strategy") {
    const auto strategy = find_strategy(value);
    if (!strategy) return Error{strategy.error()};
    options.strategy = *strategy;
    return true;
  }
  if (name == "--stop-on") {
    if (value != "crash" && value != "assert" && value != "output")
      return Error{"--stop-on needs crash, assert or output, not '" + value + "'"};
    options.wanted = value == "crash"    ? Effect::Kind::kCrash
                     : value == "assert" ? Effect::Kind::kAssertion
                                         : Effect::Kind::kOutput;
    return true;
  }
  if (name == "--out") {
    if (value.empty()) return Error{"--out needs the name of a folder"};
    request.out = value;
    return true;
  }
  return false;
}

std::string steering_help() {
  std::string strategies;
  for (const control::StrategyRow& row : control::kStrategies)
    if (row.goals == control::kByName) strategies += std::string(24, ' ') + row.name + ": " + row.help + "\n";
  return "  --tries=N             executions that are steered, at most, for each (default: 100)\n"
         "  --seed=N              of the first try (default: 1)\n"
         "  --strategy=NAME       directed (default): pause tasks at the places of the finding\n" +
         strategies +
         "  --changes=N           the bound of such a strategy, at most (default: 2)\n"
         "  --no-context          of a deadlock: pause any task at the place, whichever locks it holds\n"
         "  --no-yields           of a deadlock: do not yield before the first lock of the cycle\n"
         "  --strict              of a deadlock: never relax the matching of locks and tasks\n"
         "  --stop-on=EFFECT      go on until it does that to the program: crash, assert, output (or worse)\n"
         "  --minimise=N          executions that make the schedule shorter, at most (default: 200)\n"
         "  --out=FOLDER          where the schedules go (default: here)\n"
         "  --patience=SECONDS    abort an execution that makes no scheduling step for so long (default: "
         "10)\n";
}

Result<explore::StartedProgram> start_steered(Settings& settings, const SteeringRequest& request, u32 jobs) {
  explore::StartOptions how{jobs, request.patience, {}, {}};
  how.unwanted = [] { return steering_interrupted != 0; };
  how.adapt = [](explore::ProgramOptions& options) { options.captures_output = true; };
  return explore::start_exploration(settings, how, explore::conflict_aware());
}

}  // namespace heddle::confirm
