// Reversible races of an execution, and for each the sequence that reverses it.
//
// A *reversible race* (in the sense of dynamic partial-order reduction, not a data race) is a pair of dependent steps
// i, j where j could have come before i: no step that j requires happens after i. The reversal keeps all steps that
// do not happen after i, to the end of the execution, and then makes j. Fewer steps would suffice to enable j, but
// not to decide whether the sequence is explored elsewhere: a later step may wake a sleep-set member there. So each
// execution yields all its reversals, also those of a prefix that it shares with others. Abdulla, Aronis, Jonsson,
// Sagonas: Source sets, a foundation for optimal dynamic partial order reduction (JACM 2017).
//
// Locks need care. While i's actor holds a lock that j acquires, j is disabled, so it must come before the step that
// *gained* the lock; and it happens after the steps of i's actor under that lock only through the release, which does
// not count as a step between them. Steps that are blocked at a deadlock take part with the step that they would have
// made.
#pragma once

#include "explore/analysis.hpp"

namespace heddle::explore {

struct Reversal {
  u32 before = 0;           // i: the kept steps follow the prefix before it
  std::vector<u32> kept;    // steps after i that do not happen after it, in their order
  u32 turned = 0;           // j; size() + n for the n-th blocked step
  ActorNumber actor = 0;    // of j
  std::vector<u32> needed;  // those of `kept` that j must follow directly, in every order
  // It is unknown whether j is enabled then: it waits for an operation of another actor.
  bool uncertain = false;
};

class ReversalSink {
 public:
  virtual ~ReversalSink() = default;
  // Called first, because it is cheaper: are all sequences redundant that follow the steps before `before` and begin
  // with `actor`?
  virtual bool needless(u32 before, ActorNumber actor) = 0;
  virtual void found(Reversal&& reversal) = 0;
};

// Finds all reversals that are needed to reach every class, including those of blocked steps.
void find_reversals(const Analysis& analysis, ReversalSink& sink);

}  // namespace heddle::explore
