// The analysis of one execution: on which earlier steps each step depends, and happens-before.
//
// Happens-before for scheduling is the union of program order of each actor, the order by structure (Step::after),
// and the order of dependent steps. Executions with the same happens-before are the linearisations of one partial
// order: one *class*, a Mazurkiewicz trace. Swapping adjacent independent steps leads from each to every other.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/clocks.hpp"
#include "explore/digest.hpp"
#include "explore/reduction.hpp"

namespace heddle::explore {

// Dependences of each step on earlier steps of other actors; `who[i]` made step i. Lists only the last step of each
// kind: earlier ones happen before it. Cost per step: the number of steps that touched the same objects.
std::vector<std::vector<u32>> find_dependences(std::span<const u32> who,
                                               const std::vector<FootprintRef>& footprints);

// A range of steps during which an actor held a lock.
struct Holding {
  u32 actor = 0;
  bool write = true;
  u32 gained = 0;  // steps
  u32 given = kNever;
  static constexpr u32 kNever = ~u32{0};
};

class Analysis {
 public:
  // `execution` must outlive it. `unwanted` is polled: when it returns true, the analysis stops early.
  Analysis(const Execution& execution, const Reduction& reduction,
           const std::function<bool()>& unwanted = {});
  bool is_whole() const { return is_whole_; }

  const Execution& execution() const { return execution_; }
  const Reduction& reduction() const { return reduction_; }
  u32 size() const { return static_cast<u32>(execution_.steps.size()); }
  const FootprintRef& footprint(u32 step) const { return footprints_[step]; }
  bool before(u32 a, u32 b) const { return clocks_.before(a, b); }
  const Clocks& clocks() const { return clocks_; }
  // Earlier steps of other actors on which `step` depends: see find_dependences.
  const std::vector<u32>& dependences(u32 step) const { return dependences_[step]; }
  // The actor's step before this one. If `step` is size(): the actor's last step, before the one it is blocked in.
  std::optional<u32> previous(u32 step, ActorNumber actor) const;
  // The other actors that held the lock, in a conflicting mode, when `step` began.
  std::vector<Holding> holders(u64 lock, u32 step, ActorNumber actor, bool write) const;
  // The steps that acquire or release it, in their order.
  const std::vector<Holding>& holdings(u64 lock) const;
  // The number of the class (digest.hpp).
  Digest digest(const ActorNames& names) const;

 private:
  const Execution& execution_;
  const Reduction& reduction_;
  std::vector<FootprintRef> footprints_;
  std::vector<std::vector<u32>> dependences_;
  std::vector<ActorNumber> actors_;  // of chains
  std::vector<std::vector<u32>> steps_of_;
  std::unordered_map<ActorNumber, u32> chains_;
  Clocks clocks_;
  bool is_whole_ = true;
  std::unordered_map<u64, std::vector<Holding>> holdings_;
};

}  // namespace heddle::explore
