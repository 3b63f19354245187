// A finding as the steering sees it: what is to happen, and at which places of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/code_sites.hpp"

namespace heddle::confirm {

struct Target {
  // One of a cycle: where the locks were acquired that it holds; the lock that it wants and its task, as
  // report::Acquisition::code.
  struct Edge {
    std::vector<report::CodeSite> held;
    std::uint64_t lock = 0, task = 0;
  };
  // kMeet is no bug: somebody wants to see two tasks at two places. kEffect has no places: what counts is what it does
  // to the program.
  enum class Kind { kRace, kAtomicity, kDeadlock, kMeet, kEffect } kind = Kind::kRace;
  std::size_t number = 0;  // of the finding in its report
  std::string headline;
  std::vector<report::CodeSite> sites;  // of a race two, of an atomicity violation first, intruder, last
  std::vector<Edge> edges;              // of a deadlock: one for each site
  bool certain = false;                 // of a race: nothing ordered the accesses in the run that found it
  bool any_address = false;             // variables that belong together: the accesses need not overlap
  std::string problem;                  // why it cannot be steered for; empty if it can
};

}  // namespace heddle::confirm
