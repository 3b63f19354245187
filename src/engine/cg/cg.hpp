// The computation-graph engine (CG), as published: builds the whole graph with read and write sets, visits the nodes
// in topological order, and reports each conflicting pair without a path between. Everything is kept until the end:
// the baseline.
//
//   conflict(a, b)  =  R(a) ∩ W(b)  ∪  W(a) ∩ R(b)  ∪  W(a) ∩ W(b)
//
// Two things differ from the papers, for speed and with the same result. Sets are stored by block of memory, across
// nodes, so that only pairs with a common block are intersected. Reachability is computed for 512 nodes at a time, in
// one sweep over the graph: O(N (N + E) / 512) words in all, and no N x N matrix. Intersections remain quadratic in
// the nodes that touch a block.
//
// A byte whose race has been found is not checked again. New memory sets earlier accesses aside, to be checked among
// themselves.
#pragma once

#include "engine/cg/graph.hpp"
#include "engine/engine.hpp"

namespace heddle::engine {

// The data for drawing the graph; see `heddle graph`.
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
  // Only if requested.
  virtual const std::vector<NodeRace>& node_races() const = 0;
};

std::unique_ptr<Engine> make_cg(const Options& options);
// With the data for drawing.
std::unique_ptr<CgEngine> make_drawn_cg();

}  // namespace heddle::engine
