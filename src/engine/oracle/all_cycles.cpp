#include "engine/oracle/all_cycles.hpp"

#include <algorithm>
#include <map>

#include "order/graph/computation_graph.hpp"

namespace heddle::engine {
namespace {

struct Made {
  u32 event, task;
  LockDependency dependency;
};

bool exclude(const LockAndPlace& a, const LockAndPlace& b) {
  return std::get<0>(a) == std::get<0>(b) && (std::get<2>(a) || std::get<2>(b));
}
bool holds_against(const LockDependency& dependency, const LockAndPlace& wants) {
  return std::any_of(dependency.held.begin(), dependency.held.end(),
                     [&](const auto& held) { return exclude(held, wants); });
}
bool exclude_each_other(const LockDependency& a, const LockDependency& b) {
  return std::any_of(a.held.begin(), a.held.end(), [&](const auto& held) { return holds_against(b, held); });
}

class Search {
 public:
  Search(const std::vector<Made>& made, const order::ComputationGraph& graph) : made_(made), graph_(graph) {
    for (const Made& first : made_) extend({&first});
  }
  std::set<LockCycle> found;

 private:
  void extend(std::vector<const Made*> chain) {
    const LockAndPlace& wants = chain.back()->dependency.wants;
    if (chain.size() > 1 && holds_against(chain.front()->dependency, wants)) {
      LockCycle cycle;
      for (const Made* each : chain) cycle.push_back(each->dependency);
      found.insert(canonical(std::move(cycle)));
    }
    for (const Made& next : made_) {
      if (!holds_against(next.dependency, wants)) continue;
      if (!std::all_of(chain.begin(), chain.end(), [&](const Made* each) { return together(*each, next); }))
        continue;
      chain.push_back(&next);
      extend(chain);
      chain.pop_back();
    }
  }
  bool together(const Made& a, const Made& b) const {
    if (a.task == b.task || std::get<0>(a.dependency.wants) == std::get<0>(b.dependency.wants) ||
        exclude_each_other(a.dependency, b.dependency))
      return false;
    return !graph_.before_by_structure(graph_.strand_after(std::min(a.event, b.event)),
                                       graph_.strand_after(std::max(a.event, b.event)));
  }

  const std::vector<Made>& made_;
  const order::ComputationGraph& graph_;
};

}  // namespace

LockCycle canonical(LockCycle cycle) {
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

std::set<LockCycle> all_cycles(const event::History& history) {
  const order::ComputationGraph graph(history);
  std::map<u32, std::map<u32, LockAndPlace>> held;  // by task, by lock
  std::vector<Made> made;
  for (u32 i = 0; i < history.size(); ++i) {
    if (auto* e = std::get_if<event::Acquire>(&history[i])) {
      auto& locks = held[e->task];
      const LockAndPlace wants{e->lock, e->site, e->write};
      if (!locks.empty() && !e->tries) {
        Made now{i, e->task, {wants, {}}};
        for (const auto& [lock, place] : locks) now.dependency.held.push_back(place);
        made.push_back(std::move(now));
      }
      locks.insert({e->lock, wants});
    }
    if (auto* e = std::get_if<event::Release>(&history[i])) held[e->task].erase(e->lock);
  }
  return Search(made, graph).found;
}

}  // namespace heddle::engine
