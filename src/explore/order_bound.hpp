// How many classes can there be? An upper bound, from the executions that were seen.
//
// A class is determined by the order of acquisitions of each lock (and releases, where it is tried), of operations on
// each atomic variable, and on each object that signals: two steps depend on each other only if they share one of
// these. So there are at most as many classes as ways to interleave, object by object, what each actor does there. What
// structure orders with all that others do there (before they are spawned, behind their join) has its place and is not
// counted.
//
// No bound is sound for a program that was not explored to its end: in an order that was not seen it may acquire other
// locks, and more often. So this one is *conditional*: it holds if every order does what those seen did; or, if these
// differ, does nothing more often than they did.
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
  // Has every execution so far done the same?
  bool uniform() const { return uniform_; }
  // At most how many more there are than `explored`: "620", "2.1e+34". Empty: nothing can be said.
  std::string remaining(u64 explored) const;

 private:
  struct Key {
    Op op;  // kAcquire, of a lock; kChoice, of anything else
    u64 object;
    auto operator<=>(const Key&) const = default;
  };
  using Counts = std::map<Key, std::map<ActorNumber, u32>>;
  static Counts counts_of(const Execution& execution);

  Counts most_;  // of any execution
  bool uniform_ = true, any_ = false;
};

}  // namespace heddle::explore
