// A pointer goes to two successors, one of which reads the item while the other one changes it.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int item, copy;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::broadcast_node<int*> both(graph);
  tbb::flow::function_node<int*> reader(graph, tbb::flow::serial, [](int* seen) { copy = *seen; });  // race: A
  tbb::flow::function_node<int*> writer(graph, tbb::flow::serial, [](int* seen) { *seen = 1; });     // race: A
  tbb::flow::make_edge(both, reader);
  tbb::flow::make_edge(both, writer);
  both.try_put(&item);
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
