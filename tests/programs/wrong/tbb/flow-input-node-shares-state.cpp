// The node behind an input node sets back the state from which the input node makes its items.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int made, pending;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::input_node<int> input(graph, [](tbb::flow_control& control) {
    if (made == 12) {
      control.stop();
      return 0;
    }
    ++pending;  // race: A
    return made++;
  });
  tbb::flow::function_node<int> consume(graph, tbb::flow::unlimited, [](int) {
    --pending;  // race: A
    return tbb::flow::continue_msg();
  });
  tbb::flow::make_edge(input, consume);
  input.activate();
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
