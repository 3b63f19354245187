#include "order/graph/compare.hpp"

#include "order/builder/order_builder.hpp"
#include "order/graph/computation_graph.hpp"

namespace heddle::order {
namespace {

// A strand of the graph, and what the engine called it while it lasted.
struct Seen {
  ComputationGraph::Strand strand;
  const Task* task;
  Index index;
};

std::string words(const ComputationGraph& graph, const Seen& earlier, ComputationGraph::Strand now,
                  usize event, const char* order, bool engine) {
  return "after event " + std::to_string(event) + " strand " + std::to_string(earlier.strand) + " of task " +
         std::to_string(graph.task_of(earlier.strand)) +
         (engine ? " comes before" : " does not come before") + " task " +
         std::to_string(graph.task_of(now)) + " (" + order + "), says the engine; the graph says otherwise";
}

}  // namespace

std::optional<std::string> order_disagreement(Structure& structure, const event::History& history) {
  ComputationGraph graph(history);
  OrderBuilder builder(structure);
  std::vector<std::vector<Seen>> seen(1);  // by number of the task
  seen[0].push_back({0, &builder.task(0), builder.task(0).now});
  for (usize i = 0; i < history.size(); ++i) {
    builder.add(history[i]);
    // Orders nothing, and may come while its task is suspended.
    if (std::holds_alternative<event::NewMemory>(history[i])) continue;
    u32 number = task_of(history[i]);
    const Task& now = builder.task(number);
    ComputationGraph::Strand strand = graph.strand_after(i);
    if (number >= seen.size()) seen.resize(number + 1);
    bool asks = now.live != nullptr;  // a task that has ended, or waits at a barrier, has no questions
    const Task* asked = nullptr;
    Index by_structure = 0, in_full = 0;
    for (usize other = 0; asks && other < seen.size(); ++other)
      for (const Seen& earlier : seen[other]) {
        if (other == number && earlier.task == &now) continue;
        if (asked != earlier.task) {
          asked = earlier.task;
          by_structure = structure.known_by_structure(*asked, now);
          in_full = structure.known_in_full(*asked, now);
        }
        bool engine = earlier.index <= by_structure;
        if (engine != graph.before_by_structure(earlier.strand, strand))
          return words(graph, earlier, strand, i, "by structure", engine);
        engine = earlier.index <= in_full;
        if (engine != graph.before_in_full(earlier.strand, strand))
          return words(graph, earlier, strand, i, "in full", engine);
      }
    // A suspended task is in no strand: the one it comes back to begins later.
    auto* spawn = std::get_if<event::Spawn>(&history[i]);
    bool suspended = std::holds_alternative<event::Fork>(history[i]) ||
                     (spawn && spawn->kind == event::SpawnKind::kUndeferred);
    if (suspended) continue;
    if (asks && (seen[number].empty() || seen[number].back().strand != strand))
      seen[number].push_back({strand, &now, now.now});
    else if (asks && std::holds_alternative<event::Access>(history[i]) &&
             seen[number].back().index != now.now)
      return "the engine changed the strand of task " + std::to_string(number) + " while it did nothing";
  }
  return std::nullopt;
}

}  // namespace heddle::order
