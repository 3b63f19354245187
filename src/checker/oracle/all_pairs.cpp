#include "checker/oracle/all_pairs.hpp"

#include <algorithm>
#include <map>

#include "order/graph/computation_graph.hpp"

namespace heddle::race {
namespace {

using namespace event;

struct Judged {
  u32 event;
  const Access* access;
  std::map<u32, bool> locks;  // lock -> held for writing
  u32 bound_to;               // 0: any thread could have made it
};

// The accesses in the order of the history, each with what its task held.
std::vector<Judged> accesses_of(const History& history) {
  struct TaskState {
    std::map<u32, bool> locks;
    u32 thread = 1;
    bool bound = false;
  };
  std::map<u32, TaskState> tasks;
  std::vector<Judged> accesses;
  for (u32 i = 0; i < history.size(); ++i) {
    TaskState& task = tasks[task_of(history[i])];
    if (auto* begin = std::get_if<Begin>(&history[i])) task.thread = begin->thread;
    if (auto* begin = std::get_if<TeamBegin>(&history[i])) task.thread = begin->thread;
    if (auto* begin = std::get_if<WorkBegin>(&history[i])) task.thread = begin->thread;
    if (auto* acquire = std::get_if<Acquire>(&history[i])) task.locks[acquire->lock] = acquire->write;
    if (auto* release = std::get_if<Release>(&history[i])) task.locks.erase(release->lock);
    if (std::holds_alternative<Bind>(history[i])) task.bound = true;
    if (auto* access = std::get_if<Access>(&history[i]))
      accesses.push_back({i, access, task.locks, task.bound || access->bound ? task.thread : 0});
  }
  return accesses;
}

// Is there a byte that both touch and that is not new since the first?
bool share_a_byte(const History& history, const Judged& first, const Judged& second) {
  const Access &a = *first.access, &b = *second.access;
  const u64 end = std::min(a.address + a.size, b.address + b.size);
  for (u64 byte = std::max(a.address, b.address); byte < end; ++byte) {
    bool renewed = false;
    for (u32 i = first.event + 1; i < second.event; ++i) renewed |= renews(history[i], byte);
    if (!renewed) return true;
    byte |= 7;  // so is the rest of the granule
  }
  return false;
}

bool conflict(const Access& a, const Access& b) { return (a.write || b.write) && !(a.atomic && b.atomic); }

bool exclude_each_other(const std::map<u32, bool>& a, const std::map<u32, bool>& b) {
  for (auto [lock, write] : a)
    if (auto other = b.find(lock); other != b.end() && (write || other->second)) return true;
  return false;
}

}  // namespace

AllPairs::AllPairs(const History& history) {
  order::ComputationGraph graph(history);
  std::vector<Judged> accesses = accesses_of(history);
  for (usize j = 0; j < accesses.size(); ++j)
    for (usize i = 0; i < j; ++i) {
      const Judged &a = accesses[i], &b = accesses[j];
      if (a.access->task == b.access->task) continue;
      if (!conflict(*a.access, *b.access) || exclude_each_other(a.locks, b.locks)) continue;
      if (a.bound_to && a.bound_to == b.bound_to) continue;
      u32 first = graph.strand_after(a.event), second = graph.strand_after(b.event);
      if (graph.before_by_structure(first, second)) continue;
      if (!share_a_byte(history, a, b)) continue;
      races_.push_back({a.event, b.event, !graph.before_in_full(first, second)});
    }
}

}  // namespace heddle::race
