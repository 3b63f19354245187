#include "event/random/shrink.hpp"

#include <map>
#include <set>

#include "event/run_state.hpp"

namespace heddle::event {
namespace {

using Test = std::function<bool(const History&)>;

// `keep` decides for each event.
template <class F>
bool attempt(History& history, const Test& shows_fault, F&& keep) {
  History smaller;
  for (usize i = 0; i < history.size(); ++i)
    if (keep(i)) smaller.push_back(history[i]);
  if (smaller.size() == history.size() || !is_legal(smaller) || !shows_fault(smaller)) return false;
  history = std::move(smaller);
  return true;
}

// The tasks of a subtree: those that this task created, directly or not.
std::set<u32> subtree(const History& history, u32 top) {
  std::set<u32> tasks{top}, teams;
  for (const Event& event : history) {
    if (auto* e = std::get_if<Spawn>(&event); e && tasks.count(e->task)) tasks.insert(e->child);
    if (auto* e = std::get_if<Fork>(&event); e && tasks.count(e->task)) teams.insert(e->team);
    if (auto* e = std::get_if<TeamBegin>(&event); e && teams.count(e->team)) tasks.insert(e->task);
    if (auto* e = std::get_if<WorkBegin>(&event); e && teams.count(e->team)) tasks.insert(e->task);
  }
  return tasks;
}

bool without_tails(History& history, const Test& shows_fault) {
  bool any = false;
  for (usize cut = history.size() / 2; cut > 0; cut /= 2)
    while (history.size() > cut &&
           attempt(history, shows_fault, [&](usize i) { return i + cut < history.size(); }))
      any = true;
  return any;
}

bool without_subtrees(History& history, const Test& shows_fault) {
  bool any = false;
  std::set<u32> tasks;
  for (const Event& event : history) tasks.insert(task_of(event));
  for (u32 task : tasks) {
    if (task == 0) continue;
    std::set<u32> gone = subtree(history, task);
    any |= attempt(history, shows_fault, [&](usize i) {
      auto* spawn = std::get_if<Spawn>(&history[i]);
      return !gone.count(task_of(history[i])) && !(spawn && spawn->child == task);
    });
  }
  return any;
}

// Removes a task and keeps its children: its parent spawns them instead.
bool without_middles(History& history, const Test& shows_fault) {
  std::map<u32, u32> parent;
  for (const Event& event : history)
    if (auto* e = std::get_if<Spawn>(&event)) parent[e->child] = e->task;
  for (auto [middle, above] : parent) {
    History smaller;
    for (const Event& event : history) {
      auto* spawn = std::get_if<Spawn>(&event);
      auto* fork = std::get_if<Fork>(&event);
      auto* join = std::get_if<Join>(&event);
      if (spawn && spawn->child == middle) continue;
      if (task_of(event) != middle)
        smaller.push_back(event);
      else if (spawn)
        smaller.push_back(Spawn{above, spawn->child, spawn->kind, spawn->depends});
      else if (fork)
        smaller.push_back(Fork{above, fork->team});
      else if (join)
        smaller.push_back(Join{above, join->team});
    }
    if (smaller.size() == history.size() || !is_legal(smaller) || !shows_fault(smaller)) continue;
    history = std::move(smaller);
    return true;  // parents have changed: the caller repeats
  }
  return false;
}

bool without_teams(History& history, const Test& shows_fault) {
  bool any = false;
  std::set<u32> teams;
  for (const Event& event : history)
    if (auto* e = std::get_if<Fork>(&event)) teams.insert(e->team);
  for (u32 team : teams) {
    std::set<u32> gone;
    for (const Event& event : history) {
      auto* thread = std::get_if<TeamBegin>(&event);
      auto* work = std::get_if<WorkBegin>(&event);
      u32 task = thread && thread->team == team ? thread->task : work && work->team == team ? work->task : 0;
      if (task)
        for (u32 t : subtree(history, task)) gone.insert(t);
    }
    any |= attempt(history, shows_fault, [&](usize i) {
      auto* fork = std::get_if<Fork>(&history[i]);
      auto* join = std::get_if<Join>(&history[i]);
      return !gone.count(task_of(history[i])) && !(fork && fork->team == team) &&
             !(join && join->team == team);
    });
    // One barrier of the team at a time.
    for (u32 phase = 0; phase < 8; ++phase) {
      std::vector<u32> arrivals, leavings;
      auto nth = [&](std::vector<u32>& counts, u32 task) {
        if (counts.size() <= task) counts.resize(task + 1);
        return counts[task]++;
      };
      any |= attempt(history, shows_fault, [&](usize i) {
        auto* arrive = std::get_if<BarrierArrive>(&history[i]);
        if (arrive && arrive->team == team) return nth(arrivals, arrive->task) != phase;
        auto* leave = std::get_if<BarrierLeave>(&history[i]);
        if (leave && leave->team == team) return nth(leavings, leave->task) != phase;
        return true;
      });
    }
  }
  return any;
}

bool without_pairs(History& history, const Test& shows_fault) {
  bool any = false;
  for (usize first = 0; first < history.size(); ++first)
    for (usize second = first + 1; second < history.size(); ++second) {
      if (task_of(history[first]) != task_of(history[second])) continue;
      any |= attempt(history, shows_fault, [&](usize i) { return i != first && i != second; });
      if (second >= history.size()) break;
    }
  return any;
}

bool without_single_events(History& history, const Test& shows_fault) {
  bool any = false;
  for (usize at = history.size(); at-- > 0;)
    any |= at < history.size() && attempt(history, shows_fault, [&](usize i) { return i != at; });
  return any;
}

// A task with fewer clauses, an access of all eight bytes: easier to read.
bool simpler_events(History& history, const Test& shows_fault) {
  bool any = false;
  auto try_change = [&](usize at, Event event) {
    History changed = history;
    changed[at] = std::move(event);
    if (!is_legal(changed) || !shows_fault(changed)) return;
    history = std::move(changed);
    any = true;
  };
  for (usize at = 0; at < history.size(); ++at) {
    if (auto* e = std::get_if<Spawn>(&history[at])) {
      for (usize i = e->depends.size(); i-- > 0;) {
        Spawn fewer = std::get<Spawn>(history[at]);
        fewer.depends.erase(fewer.depends.begin() + static_cast<long>(i));
        try_change(at, fewer);
      }
      if (std::get<Spawn>(history[at]).kind == SpawnKind::kUndeferred) {
        Spawn deferred = std::get<Spawn>(history[at]);
        deferred.kind = SpawnKind::kTask;
        try_change(at, deferred);
      }
    } else if (auto* a = std::get_if<Access>(&history[at]); a && (a->size != 8 || a->atomic)) {
      Access whole = *a;
      whole.address &= ~u64{7};
      whole.size = 8;
      whole.atomic = false;
      try_change(at, whole);
    }
  }
  return any;
}

}  // namespace

History shrink(History history, const Test& shows_fault) {
  for (bool smaller = true; smaller;) {
    smaller = without_tails(history, shows_fault);
    smaller |= without_subtrees(history, shows_fault);
    smaller |= without_teams(history, shows_fault);
    smaller |= without_middles(history, shows_fault);
    smaller |= without_single_events(history, shows_fault);
    if (!smaller && history.size() < 80) smaller = without_pairs(history, shows_fault);
    if (!smaller) smaller = simpler_events(history, shows_fault);
  }
  return history;
}

}  // namespace heddle::event
