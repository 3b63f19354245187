// Pointers pass from a node without a limit to a serial one, which keeps a total.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int items[20], total;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::function_node<int*, int*> square(graph, tbb::flow::unlimited, [](int* item) {
    *item = *item * *item;
    return item;
  });
  tbb::flow::function_node<int*> add(graph, tbb::flow::serial, [](int* item) { total += *item; });
  tbb::flow::make_edge(square, add);
  for (int i = 0; i < 20; ++i) {
    items[i] = i;
    square.try_put(&items[i]);
  }
  graph.wait_for_all();
  return total != 2470;
}

int main() { return on_workers(run); }
