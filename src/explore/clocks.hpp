// Happens-before of a finished sequence of steps: one vector clock per step, with one entry per chain (an actor, or a
// task).
//
// A clock says how many steps of each chain happen before the step. Steps that acquire nothing share the clock of
// their predecessor in the chain, so memory is (steps that acquire) x (chains), and a query is one comparison.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace heddle::explore {

class Clocks {
 public:
  explicit Clocks(u32 chains)
      : latest_(chains, kNone), lengths_(chains, 0), clocks_(1, std::vector<u32>(chains, 0)) {}

  // Begins the next step, number size(), after the last one of its chain.
  void begin(u32 chain);
  // Joins the clock of `earlier` into the step's: `earlier` and all that happens before it happen before the step.
  void join(u32 earlier);
  // Does a happen before b? A step does not happen before itself.
  bool before(u32 a, u32 b) const {
    const Place &from = places_[a], &to = places_[b];
    return from.chain == to.chain ? from.index < to.index : clocks_[to.clock][from.chain] > from.index;
  }
  // How many steps of the chain happen before the step; for its own chain, its position.
  u32 known(u32 step, u32 chain) const {
    const Place& place = places_[step];
    return place.chain == chain ? place.index : clocks_[place.clock][chain];
  }
  u32 chain(u32 step) const { return places_[step].chain; }
  u32 index(u32 step) const { return places_[step].index; }
  usize size() const { return places_.size(); }
  u32 chains() const { return static_cast<u32>(lengths_.size()); }

 private:
  static constexpr u32 kNone = ~u32{0};
  struct Place {
    u32 chain, index, clock;
  };
  std::vector<Place> places_;
  std::vector<u32> latest_, lengths_;     // of chains
  std::vector<std::vector<u32>> clocks_;  // the first is empty
  bool own_clock_ = false;                // of the current step
};

}  // namespace heddle::explore
