// The tasks that wait for a lock now, and whether some of them wait for each other: the wait-for graph (Coffman,
// Elphick and Shoshani 1971).
//
//   1 holds A, waits for B;  2 holds B, waits for A        both are blocked forever
//
// A waiter holds the locks of its dependency, and has not acquired the one it wants: it is added before it waits, and
// removed after it has got the lock, before it releases anything. Then a cycle is a deadlock that has happened, though
// some of them may not have begun to wait yet: what the next one holds it cannot have got. A writer waits for all
// readers, so one of them in a cycle is enough.
//
// Cost: a search visits each that waits once. Not thread-safe: the owner brings the lock.
#pragma once

#include "checker/deadlock/relation.hpp"

namespace heddle::deadlock {

class WaitFor {
 public:
  WaitFor() = default;
  WaitFor(const WaitFor&) = delete;
  WaitFor& operator=(const WaitFor&) = delete;
  ~WaitFor() {
    while (!waiting_.empty()) remove(waiting_.back().key);
  }

  // `key` names the waiter. If that closes a cycle, `found(const Edge*, u32)` is called with one that begins with it.
  template <class Found>
  void add(u64 key, u64 strand, const Acquisition& wants, const Acquisition* held, u32 count, Found found) {
    Waiting made{key, {Dependency::make(wants, held, count), strand}, 0};
    waiting_.push_back(made);
    ++searches_;
    chain_.clear();
    if (!leads_back(waiting_.size() - 1)) return;
    Vector<Edge> edges;
    for (u32 at : chain_) edges.push_back(waiting_[at].edge);
    found(edges.begin(), edges.size());
  }
  // Nothing if it does not wait.
  void remove(u64 key) {
    for (u32 i = waiting_.size(); i-- > 0;)
      if (waiting_[i].key == key) {
        Dependency::release(waiting_[i].edge.dependency);
        return waiting_.erase_swap(i);
      }
  }
  u32 size() const { return waiting_.size(); }

 private:
  struct Waiting {
    u64 key;
    Edge edge;
    u32 visited;  // by which search
  };

  // From `at` to the one that was added last? Then chain_ is the way, without it at the end.
  bool leads_back(u32 at) {
    waiting_[at].visited = searches_;
    chain_.push_back(at);
    for (u32 next = 0; next < waiting_.size(); ++next) {
      if (!waiting_[next].edge.dependency->holds_against(waiting_[at].edge.dependency->wants)) continue;
      if (next == waiting_.size() - 1 && chain_.size() > 1) return true;
      if (waiting_[next].visited != searches_ && leads_back(next)) return true;
    }
    chain_.pop_back();
    return false;
  }

  Vector<Waiting> waiting_;
  Vector<u32> chain_;  // of the search
  u32 searches_ = 0;
};

}  // namespace heddle::deadlock
