// What a node writes is read before the graph has been waited for.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int result;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::flow::graph graph;
  tbb::flow::function_node<int> store(graph, tbb::flow::serial, [](int value) {
    result = value;  // race: A
    return tbb::flow::continue_msg();
  });
  store.try_put(1);
  use(result);  // race: A
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
