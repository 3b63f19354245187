// A vector clock as an immutable value: chain -> how far that chain is known. Tasks come in millions and copy the clock
// of their parent, so a clock is a persistent radix tree: copying shares everything, setting one entry copies one path,
// and joining two clocks visits only where they differ.
//
// Cost: get and set O(log16 chains); copy O(1); join O(nodes that are not shared). Thread safety: as an int: one clock
// may not be written by two threads, but nodes may be shared by any number of clocks.
#pragma once

#include <utility>

#include "base/types.hpp"

namespace heddle::order {

class Clock {
 public:
  Clock() = default;
  Clock(const Clock& other);
  Clock(Clock&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  Clock& operator=(const Clock& other);
  Clock& operator=(Clock&& other) noexcept;
  ~Clock();

  u32 get(u32 chain) const;
  // Raises the entry to at least `value`.
  void raise(u32 chain, u32 value);
  // Entry-wise maximum. Was there anything new?
  bool join(const Clock& other);
  void clear();

  bool empty() const { return root_ == nullptr; }
  // True only if the two are the same tree: equal clocks may be different trees.
  bool same_as(const Clock& other) const { return root_ == other.root_; }

  struct Node;

 private:
  Node* root_ = nullptr;
};

}  // namespace heddle::order
