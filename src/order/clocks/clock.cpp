#include "order/clocks/clock.hpp"

#include <atomic>

#include "base/check.hpp"
#include "base/memory.hpp"

namespace heddle::order {

// 16 slots a node: a leaf is one cache line of values and a header. Level 0 is a leaf; level n covers 16^(n+1) chains.
struct Clock::Node {
  std::atomic<u32> references;
  u32 level;
};

namespace {

using Node = Clock::Node;
constexpr u32 kBits = 4;
constexpr u32 kSlots = 1u << kBits;

struct Leaf : Node {
  u32 value[kSlots];
};
struct Inner : Node {
  Node* child[kSlots];
};

Leaf* leaf(Node* node) { return static_cast<Leaf*>(node); }
Inner* inner(Node* node) { return static_cast<Inner*>(node); }

Node* share(Node* node) {
  if (node) node->references.fetch_add(1, std::memory_order_relaxed);
  return node;
}

void drop(Node* node) {
  if (!node || node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (node->level == 0) return memory::release(node, sizeof(Leaf));
  for (Node* child : inner(node)->child) drop(child);
  memory::release(node, sizeof(Inner));
}

Node* make(u32 level) {
  Node* node = static_cast<Node*>(memory::allocate(level == 0 ? sizeof(Leaf) : sizeof(Inner)));
  node->references.store(1, std::memory_order_relaxed);
  node->level = level;
  return node;
}

u32 slot_at(u32 chain, u32 level) { return (chain >> (level * kBits)) & (kSlots - 1); }
bool covers(u32 level, u32 chain) { return level >= 7 || (chain >> ((level + 1) * kBits)) == 0; }

// A copy of the node with one reference; consumes the reference that is passed in.
Node* own(Node* node) {
  if (node->references.load(std::memory_order_acquire) == 1) return node;
  Node* copy = make(node->level);
  if (node->level == 0) {
    for (u32 i = 0; i < kSlots; ++i) leaf(copy)->value[i] = leaf(node)->value[i];
  } else {
    for (u32 i = 0; i < kSlots; ++i) inner(copy)->child[i] = share(inner(node)->child[i]);
  }
  drop(node);
  return copy;
}

// Puts a lower tree into a tree of the wanted level; consumes and returns a reference.
Node* lift(Node* node, u32 level) {
  while (node && node->level < level) {
    Node* above = make(node->level + 1);
    inner(above)->child[0] = node;
    node = above;
  }
  return node;
}

// Consumes the reference to `node`.
Node* raise_in(Node* node, u32 level, u32 chain, u32 value) {
  if (!node)
    node = make(level);
  else
    node = own(node);
  u32 at = slot_at(chain, level);
  if (level == 0) {
    if (leaf(node)->value[at] < value) leaf(node)->value[at] = value;
  } else {
    inner(node)->child[at] = raise_in(inner(node)->child[at], level - 1, chain, value);
  }
  return node;
}

// A new reference to the join of two trees of one level; where one of them is already the answer it is shared.
Node* joined(Node* a, Node* b) {
  if (!b || a == b) return share(a);
  if (!a) return share(b);
  bool all_a = true, all_b = true;
  if (a->level == 0) {
    u32 value[kSlots];
    for (u32 i = 0; i < kSlots; ++i) {
      u32 x = leaf(a)->value[i], y = leaf(b)->value[i];
      value[i] = x > y ? x : y;
      all_a &= value[i] == x;
      all_b &= value[i] == y;
    }
    if (all_a) return share(a);
    if (all_b) return share(b);
    Node* node = make(0);
    for (u32 i = 0; i < kSlots; ++i) leaf(node)->value[i] = value[i];
    return node;
  }
  Node* child[kSlots];
  for (u32 i = 0; i < kSlots; ++i) {
    child[i] = joined(inner(a)->child[i], inner(b)->child[i]);
    all_a &= child[i] == inner(a)->child[i];
    all_b &= child[i] == inner(b)->child[i];
  }
  if (all_a || all_b) {
    for (Node* c : child) drop(c);
    return share(all_a ? a : b);
  }
  Node* node = make(a->level);
  for (u32 i = 0; i < kSlots; ++i) inner(node)->child[i] = child[i];
  return node;
}

}  // namespace

void Clock::share(Node* root) { order::share(root); }
void Clock::drop(Node* root) { order::drop(root); }

void Clock::set_root(Node* root) {
  words_ = {};
  words_.of[0] = kTree;
  __builtin_memcpy(words_.of + 2, &root, sizeof root);
}

Clock::Node* Clock::as_tree() const {
  if (is_tree()) return order::share(root());
  static_assert(kFew <= kSlots);
  Node* few = make(0);
  for (u32 i = 1; i < kFew; ++i) leaf(few)->value[i] = words_.of[i];
  return few;
}

u32 Clock::get_in_tree(u32 chain) const {
  Node* node = root();
  if (!covers(node->level, chain)) return 0;
  for (u32 level = node->level; level > 0; --level) {
    node = inner(node)->child[slot_at(chain, level)];
    if (!node) return 0;
  }
  return leaf(node)->value[slot_at(chain, 0)];
}

void Clock::raise_in_tree(u32 chain, u32 value) {
  if (get(chain) >= value) return;
  Node* tree = is_tree() ? root() : as_tree();
  u32 level = tree->level;
  while (!covers(level, chain)) ++level;
  set_root(raise_in(lift(tree, level), level, chain, value));
}

bool Clock::join_trees(const Clock& other) {
  if (is_tree() && !other.is_tree()) {  // often there is nothing new among so few
    bool news = false;
    for (u32 i = 1; i < kFew && !news; ++i) news = other.words_.of[i] > get_in_tree(i);
    if (!news) return false;
  }
  if (is_tree() && other.is_tree() && root() == other.root()) return false;
  if (!is_tree() && empty()) {
    *this = other;
    return true;
  }
  Node *ours = is_tree() ? root() : as_tree(), *theirs = other.as_tree();
  const u32 level = ours->level > theirs->level ? ours->level : theirs->level;
  ours = lift(ours, level);
  theirs = lift(theirs, level);
  Node* result = joined(ours, theirs);
  order::drop(theirs);
  const bool grown = result != ours;
  order::drop(ours);
  set_root(result);
  return grown;
}

}  // namespace heddle::order
