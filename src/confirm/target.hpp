// A finding as the goal of steering: what must happen, and at which places of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/code_sites.hpp"

namespace heddle::confirm {

struct Target {
  // One edge of a cycle: where its held locks were acquired; the wanted lock and its task, as
  // report::Acquisition::code.
  struct Edge {
    std::vector<report::CodeSite> held;
    std::uint64_t lock = 0, task = 0;
  };
  // kMeet is no bug: it brings two tasks to two places. kEffect has no places: only the effect on the program counts.
  enum class Kind { kRace, kAtomicity, kDeadlock, kMeet, kEffect } kind = Kind::kRace;
  std::size_t number = 0;  // of the finding in its report
  std::string headline;
  std::vector<report::CodeSite> sites;  // of a race two, of an atomicity violation first, intruder, last
  std::vector<Edge> edges;              // of a deadlock: one for each site
  bool certain = false;                 // of a race: the accesses were unordered in the run that found it
  bool any_address = false;             // related variables: the accesses need not overlap
  std::string problem;                  // why it cannot be steered for; empty if it can
};

}  // namespace heddle::confirm
