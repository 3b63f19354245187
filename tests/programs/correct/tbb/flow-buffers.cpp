// Items wait in a buffer, a queue and a priority queue, from which rejecting nodes take them when they are free.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int items[30], sums[3];

static int run() {
  tbb::flow::graph graph;
  tbb::flow::buffer_node<int*> buffer(graph);
  tbb::flow::queue_node<int*> queue(graph);
  tbb::flow::priority_queue_node<int*> priority_queue(graph);
  using Node = tbb::flow::function_node<int*, tbb::flow::continue_msg, tbb::flow::rejecting>;
  auto add_to = [](int which) {
    return [which](int* item) {
      sums[which] += *item;
      *item = 0;
      return tbb::flow::continue_msg();
    };
  };
  Node first(graph, tbb::flow::serial, add_to(0)), second(graph, tbb::flow::serial, add_to(1)),
      third(graph, tbb::flow::serial, add_to(2));
  tbb::flow::make_edge(buffer, first);
  tbb::flow::make_edge(queue, second);
  tbb::flow::make_edge(priority_queue, third);
  for (int i = 0; i < 30; i += 3) {
    items[i] = items[i + 1] = items[i + 2] = i;
    buffer.try_put(&items[i]);
    queue.try_put(&items[i + 1]);
    priority_queue.try_put(&items[i + 2]);
  }
  graph.wait_for_all();
  return sums[0] != 135 || sums[1] != 135 || sums[2] != 135;
}

int main() { return on_workers(run); }
