// The dependence relation: a policy that decides how many executions an exploration needs. One per file in
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

// Ours: orders of conflicting critical sections.
const Reduction& conflict_aware();
// The computation-graph model checker: every order of the sections of one lock.
const Reduction& every_section();
// Every order of permission regions (GPR) or of shared accesses (PRD).
const Reduction& every_region();
const Reduction& every_access();

std::span<const Reduction* const> reductions();
const Reduction* find_reduction(std::string_view name);

// For reductions: the keys of the locks and other objects that a step touches, with pulses as `pulse` says.
enum class Pulses : u8 { kPulse, kChange };
void add_object_keys(const Step& step, Pulses pulses, Footprint& footprint);
// Adds the accesses that can be protected.
void add_touches(const Step& step, Footprint& footprint);
// Sorts, and merges the keys of one object. To be called last.
void settle(Footprint& footprint);

}  // namespace heddle::explore
