// A wakeup sequence: steps that lead from a node of the exploration tree to an unexplored order, and queries on it.
//
// All steps but the last are known: they are those of the execution that the sequence comes from. The last one is
// made at a new position and may behave differently there: its footprint is known only after it was executed.
#pragma once

#include <vector>

#include "explore/reversal.hpp"

namespace heddle::explore {

enum class Answer : u8 { kNo, kYes, kUnknown };

class Wakeup {
 public:
  Wakeup() = default;
  Wakeup(const Analysis& analysis, const Reversal& reversal);
  // The steps of an execution from `from` on, then one unknown step of `last`; kNoActor: none.
  Wakeup(const Analysis& analysis, u32 from, ActorNumber last);

  struct Item {
    ActorNumber actor = 0;
    FootprintRef footprint;  // null: unknown; only of the last
    std::vector<u32> needs;  // items it must directly follow, by their ids
    u32 id = 0;
  };
  const std::vector<Item>& items() const { return items_; }
  bool empty() const { return items_.empty(); }
  bool uncertain() const { return uncertain_; }
  bool settled() const { return items_.back().footprint != nullptr; }
  void settle_last(FootprintRef footprint);
  // The step that the last one is reversed with: they depend on each other, whatever the last one does.
  void turn(FootprintRef turned) { turned_ = std::move(turned); }
  const FootprintRef& turned() const { return turned_; }
  void doubt() { uncertain_ = true; }

  // Is the next step of `actor`, with this footprint (null: unknown), a weak initial: does some execution of the same
  // class, perhaps extended, begin with it?
  Answer begins_with(ActorNumber actor, const FootprintRef& footprint) const;
  // Removes that step. REQUIRES: begins_with is not kNo.
  void remove(ActorNumber actor);

 private:
  void add_steps(const Analysis& analysis, const std::vector<u32>& steps);
  std::vector<Item> items_;
  FootprintRef turned_;
  bool uncertain_ = false;
};

}  // namespace heddle::explore
