// Which locks were acquired while which were held: an edge from each held lock to the one acquired. A deadlock needs a
// cycle of such edges, so as long as a lock is in none, no search is needed. Programs that keep an order of their
// locks pay for this graph only. Not thread-safe: the owner brings the lock.
#pragma once

#include "base/hash_map.hpp"
#include "base/vector.hpp"

namespace heddle::deadlock {

class LockGraph {
 public:
  LockGraph() = default;
  LockGraph(const LockGraph&) = delete;
  LockGraph& operator=(const LockGraph&) = delete;
  ~LockGraph() {
    for (Node* node : nodes_) memory::destroy(node);
  }

  void add(u32 held, u32 acquired) {
    if (held == acquired) return;
    u8& known = edges_[u64{held} << 32 | acquired];
    if (known) return;
    known = 1;
    const u32 from = index_of(held), to = index_of(acquired);
    nodes_[from]->out.push_back(to);
    nodes_[to]->in.push_back(from);
    if (nodes_[from]->cyclic && nodes_[to]->cyclic) return;
    ++visits_;
    if (visit(to, from, &Node::out, &Node::forward)) {
      // Whatever is on a way from the one end to the other is in a cycle now.
      visit(from, to, &Node::in, &Node::backward);
      for (Node* node : nodes_) node->cyclic |= node->forward == visits_ && node->backward == visits_;
    }
  }
  // Both ends of each edge of a cycle are; not each edge between two such locks is in a cycle.
  bool cyclic(u32 lock) {
    u32* index = indices_.find(lock);
    return index && nodes_[*index]->cyclic;
  }

 private:
  struct Node {
    Vector<u32> out, in;
    u32 forward = 0, backward = 0;  // the visit that was last here
    bool cyclic = false;
  };

  u32 index_of(u32 lock) {
    if (u32* known = indices_.find(lock)) return *known;
    const u32 index = nodes_.size();
    nodes_.push_back(memory::make<Node>());
    indices_[lock] = index;
    return index;
  }
  // Marks all that can be reached; is `goal` among it?
  bool visit(u32 start, u32 goal, Vector<u32> Node::*edges, u32 Node::*mark) {
    Vector<u32> open;
    open.push_back(start);
    nodes_[start]->*mark = visits_;
    while (!open.empty()) {
      const u32 at = open.back();
      open.pop_back();
      for (u32 next : nodes_[at]->*edges) {
        if (nodes_[next]->*mark == visits_) continue;
        nodes_[next]->*mark = visits_;
        open.push_back(next);
      }
    }
    return nodes_[goal]->*mark == visits_;
  }

  HashMap<u8> edges_;
  HashMap<u32> indices_;  // by lock
  Vector<Node*> nodes_;
  u32 visits_ = 0;
};

}  // namespace heddle::deadlock
