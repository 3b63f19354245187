// The question that the order answers: up to which strand does one task happen before another?
#include "order/structure.hpp"

namespace heddle::order {

// Does the strand come before `now` by the tree alone?
bool Structure::after_join(const Task& owner, Index at, const Task& now) {
  const Task* below = &now;
  Index path = now.now;
  for (; below->depth > owner.depth; below = below->parent) path = below->spawned_at;
  return below == &owner && path >= at;
}

template <Structure::Order order>
Index Structure::known(const Task& earlier, const Task& now, const Clock& clock) const {
  if (&earlier == &now) return kAll;
  u64 join = earlier.joined_into.load(std::memory_order_relaxed);
  if (join && after_join(*find(static_cast<TaskId>(join >> 32)), static_cast<Index>(join), now)) return kAll;
  // `below` climbs from `now`; `path` is the strand of `below` where the way down to `now` leaves it.
  const Task* below = &now;
  Index path = now.now;
  auto strand_towards_now = [&](const Task& ancestor) -> Index {  // 0 if it is no ancestor
    while (below->depth > ancestor.depth) {
      path = below->spawned_at;
      below = below->parent;
    }
    return below == &ancestor ? path : 0;
  };
  auto by_clock = [&](const Task& task) -> Index {
    u32 chain = task.chain.load(std::memory_order_acquire);
    u32 known_elements = chain ? clock.get(chain) : 0;
    return known_elements > task.chain_base ? known_elements - task.chain_base : 0;
  };

  Index by_tree = strand_towards_now(earlier);
  Index by_signal = by_clock(earlier);
  Index best = by_tree > by_signal ? by_tree : by_signal;
  const Task* task = &earlier;
  auto was_waited_for = [&] {
    const u64 waited = task->wait ? task->wait->waited.load(std::memory_order_acquire) : 0;
    if (!waited) return false;
    const Task& waiter = *find(static_cast<TaskId>(waited >> 32));
    const Index since = static_cast<Index>(waited);
    return strand_towards_now(waiter) >= since || by_clock(waiter) >= since;
  };
  for (;;) {
    if (order == Order::kFull && was_waited_for()) return kAll;
    const Scope* scope = joined_by(*task);
    if (!scope) break;
    Index joined_at = scope->closed.load(std::memory_order_relaxed);
    task = scope->owner;
    join = u64{task->id} << 32 | joined_at;
    if (strand_towards_now(*task) >= joined_at || by_clock(*task) >= joined_at) {
      best = kAll;
      break;
    }
  }
  // Others ask about the same task: a line that does not change stays with all of them.
  if (join != earlier.joined_into.load(std::memory_order_relaxed))
    earlier.joined_into.store(join, std::memory_order_relaxed);
  return best;
}

Index Structure::known_by_structure(const Task& earlier, const Task& now) const {
  return known<Order::kStructure>(earlier, now, now.live->knows.structure());
}
Index Structure::known_in_full(const Task& earlier, const Task& now) const {
  return known<Order::kFull>(earlier, now, now.live->knows.full());
}

}  // namespace heddle::order
