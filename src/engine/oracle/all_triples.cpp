#include "engine/oracle/all_triples.hpp"

#include <algorithm>
#include <vector>

#include "order/graph/computation_graph.hpp"

namespace heddle::engine {
namespace {

using namespace event;

using Locks = std::map<u32, bool>;  // lock -> held for writing

struct Judged {
  u32 event = 0;
  const event::Access* access = nullptr;
  u64 step = 0;      // of its task
  u32 bound_to = 0;  // 0: any thread could have made it
  usize moment = 0;  // index of its task's lockset at that time
  std::set<u64> touched = {};
};

struct TaskState {
  u32 thread = 1, step = 0;
  bool bound = false;
  std::map<u32, u32> depth;             // of re-entrant locks
  std::vector<Locks> held = {Locks{}};  // after each acquisition and release
};

bool exclude_each_other(const Locks& a, const Locks& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& held) {
    auto other = b.find(held.first);
    return other != b.end() && (held.second || other->second);
  });
}

std::set<u64> touched(const event::Access& access, const AtomicRanges& atomic) {
  auto has = [](const AddressRange& range, u64 byte) { return byte - range.address < range.size; };
  std::set<u64> bytes;
  for (u64 byte = access.address; byte < access.address + access.size; ++byte) {
    bool meant = atomic.groups.empty() && atomic.locations.empty();
    for (const AddressRange& location : atomic.locations) meant |= has(location, byte);
    u64 counts_as = byte;
    for (const Group& group : atomic.groups)
      for (const AddressRange& member : group)
        if (has(member, byte)) meant = true, counts_as = group.front().address;
    if (meant) bytes.insert(counts_as);
  }
  return bytes;
}

}  // namespace

AllTriples::AllTriples(const History& history, const AtomicRanges& atomic, const std::vector<u64>& steps) {
  order::ComputationGraph graph(history);
  std::map<u32, TaskState> tasks;
  std::vector<Judged> accesses;
  for (u32 i = 0; i < history.size(); ++i) {
    TaskState& task = tasks[task_of(history[i])];
    if (ends_step(history[i])) ++task.step;
    std::visit(
        Handlers{
            [&](const Begin& e) { task.thread = e.thread; },
            [&](const TeamBegin& e) { task.thread = e.thread; },
            [&](const WorkBegin& e) { task.thread = e.thread; }, [&](const Bind&) { task.bound = true; },
            [&](const Acquire& e) {
              if (task.depth[e.lock]++ > 0) return;
              Locks locks = task.held.back();
              locks[e.lock] = e.write;
              task.held.push_back(locks);
            },
            [&](const Release& e) {
              if (--task.depth[e.lock] > 0) return;
              Locks locks = task.held.back();
              locks.erase(e.lock);
              task.held.push_back(locks);
            },
            [&](const event::Access& e) {
              accesses.push_back({i, &e, steps.empty() ? task.step : steps[i],
                                  task.bound || e.bound ? task.thread : 0, task.held.size() - 1});
            },
            [](const OneOf<Spawn, End, JoinThread, WaitChildren, WaitDepend, GroupOpen, GroupClose, Fork,
                           BarrierArrive, BarrierLeave, Join, Signal, Await, NewMemory, DetachThread> auto&) {
            }},
        history[i]);
  }

  for (Judged& judged : accesses) judged.touched = touched(*judged.access, atomic);

  auto parallel = [&](const Judged& a, const Judged& b) {
    if (a.access->task == b.access->task) return false;
    const u32 first = graph.strand_after(std::min(a.event, b.event)),
              second = graph.strand_after(std::max(a.event, b.event));
    return !graph.before_by_structure(first, second);
  };
  auto fits = [&](const Judged& a, const Judged& b, const Judged& c) {
    const auto& held = tasks[a.access->task].held;
    const Locks& of_c = tasks[c.access->task].held[c.moment];
    for (usize moment = a.moment; moment <= b.moment; ++moment)
      if (!exclude_each_other(held[moment], of_c)) return true;
    return false;
  };
  auto common_bytes = [&](const Judged& a, const Judged& b, const Judged& c) {
    std::set<u64> bytes = a.touched;
    for (const Judged* other : {&b, &c})
      std::erase_if(bytes, [&](u64 byte) { return !other->touched.contains(byte); });
    const auto [from, to] = std::minmax({a.event, b.event, c.event});
    for (u32 i = from + 1; i < to && !bytes.empty(); ++i)
      std::erase_if(bytes, [&](u64 byte) { return renews(history[i], byte); });
    return bytes;
  };

  for (const Judged& a : accesses)
    for (const Judged& b : accesses) {
      if (a.event >= b.event || a.access->task != b.access->task || a.step != b.step) continue;
      if (a.touched.empty() || b.touched.empty()) continue;
      for (const Judged& c : accesses) {
        if (!(c.access->write || (a.access->write && b.access->write))) continue;
        if (c.bound_to && (c.bound_to == a.bound_to || c.bound_to == b.bound_to)) continue;
        if (!parallel(a, c) || !parallel(b, c) || !fits(a, b, c)) continue;
        std::set<u64> bytes = common_bytes(a, b, c);
        if (bytes.empty()) continue;
        broken.insert(bytes.begin(), bytes.end());
        triples[{a.event, c.event, b.event}] = std::move(bytes);
      }
    }
}

}  // namespace heddle::engine
