// A vector clock as a value: chain -> how far that chain is known. The first few chains, which are all that most
// programs have, are numbers in place: to copy, join or drop them takes a few instructions, and no line of cache that
// other clocks use, too. Clocks that name more are persistent radix trees, because tasks come in millions and copy the
// clock of their parent: copying shares everything, setting one entry copies one path, and joining two clocks visits
// only where they differ.
//
// Cost: of few chains, all O(1). Of a tree, get and set O(log16 chains); copy O(1); join O(nodes that are not shared).
// Thread safety: as an int: one clock may not be written by two threads, but nodes may be shared by any number of
// clocks.
#pragma once

#include <utility>

#include "base/types.hpp"

namespace heddle::order {

class Clock {
 public:
  Clock() = default;
  HEDDLE_INLINE Clock(const Clock& other) : words_(other.words_) {
    if (HEDDLE_UNLIKELY(other.is_tree())) share(root());
  }
  HEDDLE_INLINE Clock(Clock&& other) noexcept : words_(std::exchange(other.words_, {})) {}
  HEDDLE_INLINE Clock& operator=(const Clock& other) {
    const Words old = words_;
    if (HEDDLE_UNLIKELY(other.is_tree())) share(other.root());
    words_ = other.words_;
    if (HEDDLE_UNLIKELY(is_tree(old))) drop(root_of(old));
    return *this;
  }
  HEDDLE_INLINE Clock& operator=(Clock&& other) noexcept {
    std::swap(words_, other.words_);
    return *this;
  }
  HEDDLE_INLINE ~Clock() {
    if (HEDDLE_UNLIKELY(is_tree())) drop(root());
  }

  // Chains count from 1.
  HEDDLE_INLINE u32 get(u32 chain) const {
    if (HEDDLE_UNLIKELY(is_tree())) return get_in_tree(chain);
    return HEDDLE_LIKELY(chain < kFew) ? words_.of[chain] : 0;
  }
  // Raises the entry to at least `value`.
  HEDDLE_INLINE void raise(u32 chain, u32 value) {
    if (HEDDLE_UNLIKELY(is_tree() || chain >= kFew)) return raise_in_tree(chain, value);
    if (words_.of[chain] < value) words_.of[chain] = value;
  }
  // Entry-wise maximum. Was there anything new?
  HEDDLE_INLINE bool join(const Clock& other) {
    if (HEDDLE_UNLIKELY(is_tree() || other.is_tree())) return join_trees(other);
    Four news = {};
    for (u32 i = 0; i < kFew; i += 4) {
      const Four here = words_.four(i), there = other.words_.four(i),
                 more = reinterpret_cast<Four>(there > here);
      words_.set_four(i, (there & more) | (here & ~more));
      news |= more;
    }
    return any(news);
  }
  void clear() { *this = Clock(); }

  bool empty() const { return same(words_, {}); }
  // True only if the two are the same tree, or few chains: equal clocks may be different trees.
  bool same_as(const Clock& other) const { return same(words_, other.words_); }

  struct Node;

 private:
  // By chain. Chain 0 is none, so its place says where there is a tree instead; then the others hold its root. A clock
  // has a tree if and only if it names a chain that has no place here.
  static constexpr u32 kFew = 8;
  static constexpr u32 kTree = 1;
  using Four = u32 __attribute__((vector_size(16)));
  struct Words {
    u32 of[kFew] = {};

    HEDDLE_INLINE Four four(u32 from) const {
      Four words;
      __builtin_memcpy(&words, of + from, sizeof words);
      return words;
    }
    HEDDLE_INLINE void set_four(u32 from, Four words) { __builtin_memcpy(of + from, &words, sizeof words); }
  };

  static bool any(Four words) {
    using Two = u64 __attribute__((vector_size(16)));
    const Two two = reinterpret_cast<Two>(words);
    return (two[0] | two[1]) != 0;
  }
  HEDDLE_INLINE static bool same(const Words& a, const Words& b) {
    Four different = {};
    for (u32 i = 0; i < kFew; i += 4) different |= a.four(i) ^ b.four(i);
    return !any(different);
  }
  static bool is_tree(const Words& words) { return words.of[0] == kTree; }
  static Node* root_of(const Words& words) {
    Node* root;
    __builtin_memcpy(&root, words.of + 2, sizeof root);
    return root;
  }
  bool is_tree() const { return is_tree(words_); }
  Node* root() const { return root_of(words_); }
  void set_root(Node* root);
  // A new reference to a tree of what is here.
  Node* as_tree() const;

  static void share(Node* root);
  static void drop(Node* root);
  u32 get_in_tree(u32 chain) const;
  void raise_in_tree(u32 chain, u32 value);
  bool join_trees(const Clock& other);

  Words words_;
};

}  // namespace heddle::order
