// Which steps depend on each other: the policy that decides how many executions an exploration needs. One a file in
// src/explore/reductions.
#pragma once

#include <span>
#include <string_view>

#include "explore/footprint.hpp"

namespace heddle::explore {

class Reduction {
 public:
  virtual ~Reduction() = default;
  virtual std::string_view name() const = 0;
  // Where executions must be cut for it.
  enum class Cuts : u8 { kSections, kRegions, kAccesses };
  virtual Cuts cuts() const { return Cuts::kSections; }
  virtual Footprint footprint(const Step& step) const = 0;
};

// Ours: orders of critical sections that conflict.
const Reduction& conflict_aware();
// The computation-graph model checker: every order of the sections of one lock.
const Reduction& every_section();
// Every order of permission regions (GPR) or of shared accesses (PRD).
const Reduction& every_region();
const Reduction& every_access();

std::span<const Reduction* const> reductions();
const Reduction* find_reduction(std::string_view name);

// For reductions: the keys of what a step does to locks and other objects, with pulses as `pulse` says.
enum class Pulses : u8 { kPulse, kChange };
void add_object_keys(const Step& step, Pulses pulses, Footprint& footprint);
// The accesses that can be protected.
void add_touches(const Step& step, Footprint& footprint);
// Sorts, and makes one key of those of one object. To be called last.
void settle(Footprint& footprint);

}  // namespace heddle::explore
