// The creator puts a pointer into a queue, and changes the item while a node may be reading it.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int item, copy;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::queue_node<int*> queue(graph);
  tbb::flow::function_node<int*> reader(graph, tbb::flow::serial, [](int* seen) { copy = *seen; });  // race: A
  tbb::flow::make_edge(queue, reader);
  queue.try_put(&item);
  item = 1;  // race: A
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
