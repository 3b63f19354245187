// The computation-graph engine (CG), as published: build the whole graph with read and write sets, take the nodes in
// topological order, and report each pair that conflicts and has no path between. Everything is kept until the end:
// the baseline.
//
//   conflict(a, b)  =  R(a) ∩ W(b)  ∪  W(a) ∩ R(b)  ∪  W(a) ∩ W(b)
//
// Two things are done in another order than the papers do them, for speed and with the same result. Sets lie across
// nodes, by block of memory, so that only pairs with a common block are intersected. Reachability is computed for 512
// nodes at a time, in one sweep over the graph: O(N (N + E) / 512) words in all, and no N x N matrix. Intersections
// remain quadratic in the nodes that touch a block.
//
// A byte whose race has been found is not looked at again. New memory puts what was done before aside, to be judged
// on its own.
#pragma once

#include "engine/cg/graph.hpp"
#include "engine/engine.hpp"

namespace heddle::engine {

// What the graph is drawn from; see `heddle graph`.
struct NodeAbout {
  u32 task = 0;  // as the history numbers it
  u64 reads = 0, writes = 0;
  u32 site = 0;  // of its first access
};
struct NodeRace {
  Graph::Node first, second;
  Side first_side, second_side;
  u64 address;
};

class CgEngine : public Engine {
 public:
  virtual const Graph& graph() const = 0;
  virtual const std::vector<NodeAbout>& nodes() const = 0;
  // Only if they were asked for.
  virtual const std::vector<NodeRace>& node_races() const = 0;
};

std::unique_ptr<Engine> make_cg(const Options& options);
// With what is needed to draw.
std::unique_ptr<CgEngine> make_drawn_cg();

}  // namespace heddle::engine
