// An input node with a state of its own; those behind it only see what it sent.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include <memory>

#include "../../workers.hpp"

int made, sum;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::input_node<std::shared_ptr<int>> input(graph, [](tbb::flow_control& control) {
    if (made == 12) {
      control.stop();
      return std::shared_ptr<int>();
    }
    return std::make_shared<int>(made++);
  });
  tbb::flow::function_node<std::shared_ptr<int>> add(graph, tbb::flow::serial,
                                                     [](const std::shared_ptr<int>& item) { sum += *item; });
  tbb::flow::make_edge(input, add);
  input.activate();
  graph.wait_for_all();
  return sum != 66;
}

int main() { return on_workers(run); }
