// The last node reads what two others write, but there is an edge from one of them only.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int left, right, sum;

static int run() {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::flow::graph graph;
  tbb::flow::broadcast_node<tbb::flow::continue_msg> start(graph);
  Node first(graph, [](const tbb::flow::continue_msg&) { left = 1; });
  Node second(graph, [](const tbb::flow::continue_msg&) { right = 2; });       // race: A
  Node last(graph, [](const tbb::flow::continue_msg&) { sum = left + right; });  // race: A
  tbb::flow::make_edge(start, first);
  tbb::flow::make_edge(start, second);
  tbb::flow::make_edge(first, last);
  start.try_put(tbb::flow::continue_msg());
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
