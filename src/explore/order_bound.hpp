// An upper bound of the number of classes, from the executions seen so far.
//
// A class is determined by the order of acquisitions of each lock (and of releases, if the lock is tried), of
// operations on each atomic variable, and of operations on each object that signals: two steps depend on each other
// only if they share one of these. So there are at most as many classes as ways to interleave, object by object, the
// operations of each actor. A step that structure orders with all operations of others on the object (before their
// spawn, after their join) has a fixed position and is not counted.
//
// No bound is sound for a program that is not completely explored: in an unseen order it may acquire other locks, or
// acquire them more often. So this bound is *conditional*: it holds if every order does what the seen ones did; or,
// if these differ, performs no operation more often than they did.
//
// Not thread-safe. Cost: steps times actors for each execution.
#pragma once

#include <map>
#include <string>

#include "explore/execution.hpp"

namespace heddle::explore {

class OrderBound {
 public:
  void add(const Execution& execution);
  void clear() { *this = OrderBound(); }

  // The decimal logarithm of the bound; 0 if there is nothing to order.
  double log10() const;
  // Did every execution so far perform the same operations?
  bool uniform() const { return uniform_; }
  // An upper bound of the classes beyond `explored`: "620", "2.1e+34". Empty: unknown.
  std::string remaining(u64 explored) const;

 private:
  struct Key {
    Op op;  // kAcquire, of a lock; kChoice, of anything else
    u64 object;
    auto operator<=>(const Key&) const = default;
  };
  using Counts = std::map<Key, std::map<ActorNumber, u32>>;
  static Counts counts_of(const Execution& execution);

  Counts most_;  // the maximum over all executions
  bool uniform_ = true, any_ = false;
};

}  // namespace heddle::explore
