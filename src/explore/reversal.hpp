// Which orders of an execution could have been the other way round, and the sequence that tries it.
//
// A *reversible race* (in the sense of dynamic partial-order reduction, not a data race) is a pair of dependent steps
// i, j where j could have come before i: nothing that j cannot do without happened after i. The reversal keeps whatever
// did not happen after i, to the end of the execution, and then makes j. Less would do to make j, but not to judge
// whether the sequence is explored elsewhere: what comes later may be what that other place leaves out. So each
// execution gives all its reversals anew, even those of steps it shares with others. Abdulla, Aronis, Jonsson, Sagonas:
// Source sets, a foundation for optimal dynamic partial order reduction (JACM 2017).
//
// Locks need care. While i's actor holds a lock that j acquires, j is disabled, so it must come before the step that
// *gained* the lock; and it comes after what i's actor did under it only by way of the release, which counts as nothing
// between them. Who waits in vain when all stand still takes part, too, with the step it would have made.
#pragma once

#include "explore/analysis.hpp"

namespace heddle::explore {

struct Reversal {
  u32 before = 0;           // i: what is kept follows the steps before it
  std::vector<u32> kept;    // steps behind i that did not happen after it, in their order
  u32 turned = 0;           // j; size() + n for the n-th that waits
  ActorNumber actor = 0;    // of j
  std::vector<u32> needed;  // those of `kept` that j comes right after, whatever it does
  // Whether j can be made then is not known: it waits for something that others must do.
  bool uncertain = false;
};

class ReversalSink {
 public:
  virtual ~ReversalSink() = default;
  // Asked first, as it costs less: need no sequence be tried that follows the steps before `before` and begins with
  // `actor`?
  virtual bool needless(u32 before, ActorNumber actor) = 0;
  virtual void found(Reversal&& reversal) = 0;
};

// All that are needed to find every class, those of steps that wait included.
void find_reversals(const Analysis& analysis, ReversalSink& sink);

}  // namespace heddle::explore
