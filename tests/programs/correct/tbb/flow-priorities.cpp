// Nodes with priorities, all with cells of their own.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int cells[3][10], total;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::broadcast_node<int> all(graph);
  using Node = tbb::flow::function_node<int, int>;
  auto fill = [](int row) {
    return [row](int i) {
      cells[row][i] = i;
      return cells[row][i];
    };
  };
  Node low(graph, tbb::flow::unlimited, fill(0), tbb::flow::node_priority_t(1));
  Node high(graph, tbb::flow::unlimited, fill(1), tbb::flow::node_priority_t(2));
  Node none(graph, tbb::flow::unlimited, fill(2));
  tbb::flow::function_node<int> add(graph, tbb::flow::serial, [](int i) { total += i; }, tbb::flow::node_priority_t(3));
  for (Node* node : {&low, &high, &none}) {
    tbb::flow::make_edge(all, *node);
    tbb::flow::make_edge(*node, add);
  }
  for (int i = 0; i < 10; ++i) all.try_put(i);
  graph.wait_for_all();
  return total != 135;
}

int main() { return on_workers(run); }
