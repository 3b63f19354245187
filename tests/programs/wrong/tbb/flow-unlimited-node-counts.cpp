// A node without a limit counts its messages.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int messages;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::function_node<int> count(graph, tbb::flow::unlimited, [](int) {
    ++messages;  // race: A
    return tbb::flow::continue_msg();
  });
  for (int i = 0; i < 8; ++i) count.try_put(i);
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
