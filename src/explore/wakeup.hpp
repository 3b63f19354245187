// A wakeup sequence: steps that lead from a node of the exploration tree to an order not seen yet, and the questions
// asked about it.
//
// All steps but the last are known, as they were made in the execution that the sequence comes from. The last one is
// made in a new place and may do something else there: its footprint is known only when it was executed.
#pragma once

#include <vector>

#include "explore/reversal.hpp"

namespace heddle::explore {

enum class Answer : u8 { kNo, kYes, kUnknown };

class Wakeup {
 public:
  Wakeup() = default;
  Wakeup(const Analysis& analysis, const Reversal& reversal);
  // The steps of an execution from `from` on, then one more of `last`, which is not known; kNoActor: no more.
  Wakeup(const Analysis& analysis, u32 from, ActorNumber last);

  struct Item {
    ActorNumber actor = 0;
    FootprintRef footprint;  // null: not known yet; only of the last
    std::vector<u32> needs;  // items it comes right after, by their ids
    u32 id = 0;
  };
  const std::vector<Item>& items() const { return items_; }
  bool empty() const { return items_.empty(); }
  bool uncertain() const { return uncertain_; }
  bool settled() const { return items_.back().footprint != nullptr; }
  void settle_last(FootprintRef footprint);
  // The step that the last one is to come before: they depend on each other, whatever the last one will do.
  void turn(FootprintRef turned) { turned_ = std::move(turned); }
  const FootprintRef& turned() const { return turned_; }
  void doubt() { uncertain_ = true; }

  // Is the next step of `actor`, with this footprint (null: not known), a weak initial: is there an order of the same
  // class, perhaps continued, that begins with it?
  Answer begins_with(ActorNumber actor, const FootprintRef& footprint) const;
  // What is left of it after that step. REQUIRES: begins_with is not kNo.
  void remove(ActorNumber actor);

 private:
  void add_steps(const Analysis& analysis, const std::vector<u32>& steps);
  std::vector<Item> items_;
  FootprintRef turned_;
  bool uncertain_ = false;
};

}  // namespace heddle::explore
