// The unexplored rest of an exploration, as a text. An exploration that resumes from it ends with the same counts as
// one that was never interrupted.
//
//   heddle-frontier 1
//   subject ...            what is explored; must be the same
//   reduction ours
//   split-acquisitions no
//   executions 12          and the other counts
//   actors 0 0.0 0.1 0.2   in the order of their numbers
//   tree
//   chain 0 0 0.1x3        nodes with one open branch each, from the root
//   node free              then a node: free, inside or leaf
//   branch 0.1 done        its branches, the oldest first; an open one is followed by what it leads to
//   branch 0.2
//   node leaf
//   end
//   trial 0.1 0 0.3 0.2    a sequence to be tried: the branch it was found in, then its actors
//   end
//
// Actors are named by their spawn paths; there are no addresses. Footprints are not stored: the sequences are
// executed again.
#pragma once

#include <string>
#include <string_view>

#include "explore/statistics.hpp"
#include "explore/tree.hpp"
#include "support/result.hpp"

namespace heddle::explore {

struct FrontierHead {
  std::string subject;
  std::string reduction;
  Stepping stepping;
  Statistics statistics;
};

class Frontier {
 public:
  // REQUIRES: no task of the tree is handed out.
  static std::string to_text(const Tree& tree, const FrontierHead& head, const ActorNames& names);
  // The head alone: the settings that an executor needs first.
  static Result<FrontierHead> parse_head(std::string_view text);
  // Executes what is needed to compute the footprints again. `tree` must be new.
  static Result<FrontierHead> parse(std::string_view text, Executor& executor, const Reduction& reduction,
                                    Tree& tree);
};

}  // namespace heddle::explore
