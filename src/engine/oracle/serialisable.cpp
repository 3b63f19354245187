#include "engine/oracle/serialisable.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "order/graph/computation_graph.hpp"

namespace heddle::engine {
namespace {

using namespace event;

struct Judged {
  u32 event = 0;
  const event::Access* access = nullptr;
  u32 step = 0;  // of all
};

bool conflict(const History& history, const Judged& a, const Judged& b) {
  if (!a.access->write && !b.access->write) return false;
  const u64 from = std::max(a.access->address, b.access->address),
            to = std::min(a.access->address + a.access->size, b.access->address + b.access->size);
  for (u64 byte = from; byte < to; ++byte) {
    const bool renewed = std::any_of(history.begin() + a.event, history.begin() + b.event,
                                     [&](const Event& e) { return renews(e, byte); });
    if (!renewed) return true;
  }
  return false;
}

}  // namespace

bool serialisable(const History& history) {
  order::ComputationGraph graph(history);
  std::map<u32, u32> steps_of_task;
  std::map<std::pair<u32, u32>, u32> steps;
  std::vector<Judged> accesses;
  for (u32 i = 0; i < history.size(); ++i) {
    u32& step = steps_of_task[task_of(history[i])];
    if (ends_step(history[i])) ++step;
    if (auto* access = std::get_if<event::Access>(&history[i])) {
      auto [found, is_new] = steps.try_emplace({access->task, step}, static_cast<u32>(steps.size()));
      accesses.push_back({i, access, found->second});
    }
  }
  std::vector<std::vector<bool>> before(steps.size(), std::vector<bool>(steps.size()));
  for (const Judged& b : accesses)
    for (const Judged& a : accesses) {
      if (a.event >= b.event || a.step == b.step) continue;
      if (a.access->task == b.access->task ||
          graph.before_by_structure(graph.strand_after(a.event), graph.strand_after(b.event)) ||
          conflict(history, a, b))
        before[a.step][b.step] = true;
    }
  for (usize k = 0; k < before.size(); ++k)
    for (usize i = 0; i < before.size(); ++i)
      for (usize j = 0; j < before.size(); ++j)
        if (before[i][k] && before[k][j]) before[i][j] = true;
  for (usize i = 0; i < before.size(); ++i)
    if (before[i][i]) return false;
  return true;
}

}  // namespace heddle::engine
