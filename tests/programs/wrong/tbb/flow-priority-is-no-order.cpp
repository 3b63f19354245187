// The node of the higher priority usually runs first, but nothing says that the other one waits for it.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int table, copy;

static int run() {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::flow::graph graph;
  tbb::flow::broadcast_node<tbb::flow::continue_msg> start(graph);
  Node reader(graph, [](const tbb::flow::continue_msg&) { copy = table; }, tbb::flow::node_priority_t(1));  // race: A
  Node writer(graph, [](const tbb::flow::continue_msg&) { table = 1; }, tbb::flow::node_priority_t(2));     // race: A
  tbb::flow::make_edge(start, reader);
  tbb::flow::make_edge(start, writer);
  start.try_put(tbb::flow::continue_msg());
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
