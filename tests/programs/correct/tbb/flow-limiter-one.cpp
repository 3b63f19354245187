// A limiter lets one message into a node without a limit, and the next when that is through: its bodies share a
// variable.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int total;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::queue_node<int> queue(graph);
  tbb::flow::limiter_node<int> limiter(graph, 1);
  tbb::flow::function_node<int, tbb::flow::continue_msg> add(graph, tbb::flow::unlimited, [](int number) {
    total += number;
    return tbb::flow::continue_msg();
  });
  tbb::flow::make_edge(queue, limiter);
  tbb::flow::make_edge(limiter, add);
  tbb::flow::make_edge(add, limiter.decrementer());
  for (int i = 0; i < 10; ++i) queue.try_put(i);
  graph.wait_for_all();
  return total != 45;
}

int main() { return on_workers(run); }
