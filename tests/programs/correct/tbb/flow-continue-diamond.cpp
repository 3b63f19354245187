// Dependences as edges between continue nodes: the last one reads what both before it wrote.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int source, left, right, sum;

static int run() {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::flow::graph graph;
  tbb::flow::broadcast_node<tbb::flow::continue_msg> start(graph);
  Node make(graph, [](const tbb::flow::continue_msg&) { source = 5; });
  Node first(graph, [](const tbb::flow::continue_msg&) { left = source + 1; });
  Node second(graph, [](const tbb::flow::continue_msg&) { right = source + 2; });
  Node last(graph, [](const tbb::flow::continue_msg&) { sum = left + right; });
  tbb::flow::make_edge(start, make);
  tbb::flow::make_edge(make, first);
  tbb::flow::make_edge(make, second);
  tbb::flow::make_edge(first, last);
  tbb::flow::make_edge(second, last);
  for (int round = 0; round < 3; ++round) {
    start.try_put(tbb::flow::continue_msg());
    graph.wait_for_all();
  }
  return sum != 13;
}

int main() { return on_workers(run); }
