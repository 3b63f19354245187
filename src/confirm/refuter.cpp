#include "confirm/refuter.hpp"

#include "confirm/places.hpp"
#include "explore/explorer.hpp"

namespace heddle::confirm {
namespace {

class Watcher : public explore::Listener {
 public:
  explicit Watcher(const std::function<bool()>& stops) : stops_(stops) {}
  bool stops() override { return stops_ && stops_(); }

 private:
  const std::function<bool()>& stops_;
};

}  // namespace

Exploration explore_all(explore::Program& program, const RefuterOptions& options) {
  std::vector<explore::Executor*> executors;
  for (auto& executor : program.executors()) {
    executor->names = program.executors().front()->names;
    executors.push_back(executor.get());
  }
  explore::Options bounds;
  bounds.most_executions = options.most_orders;
  bounds.most_seconds = options.most_seconds;
  Watcher watcher(options.stops);
  const explore::Outcome outcome = explore::explore(executors, bounds, watcher);
  Exploration result;
  result.orders = outcome.statistics.executions;
  result.deadlocks = outcome.statistics.deadlocks;
  if (outcome.statistics.racy)
    result.incomplete = "other races decide what the program does";
  else if (outcome.statistics.crashes)  // the steps after a crash are missing from these orders
    result.incomplete = "a crash ends some orders before the accesses";
  else if (outcome.verdict != explore::Verdict::kComplete)
    result.incomplete = "not all orders could be explored (" + std::to_string(result.orders) + " were)";
  return result;
}

Exploration explore_all(explore::Program& program, const RefuterOptions& options, const Target& violation,
                        const std::string& executable) {
  Exploration result;
  const auto places = find_places(executable, violation);
  if (!places) result.incomplete = places.error();
  if (violation.any_address) result.incomplete = "several variables belong together";
  if (!result.incomplete.empty()) return result;
  program.watch(control::Goal::kAtomicity, *places, false);
  result = explore_all(program, options);
  result.seen = program.has_seen_goal();
  program.watch(control::Goal::kNone, {}, false);
  return result;
}

}  // namespace heddle::confirm
