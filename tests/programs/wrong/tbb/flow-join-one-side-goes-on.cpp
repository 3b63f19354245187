// A joined pair is read by a serial node; the item on the left was also sent to a node that changes it.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include <tuple>

#include "../../workers.hpp"

int left_item, right_item, sum;

static int run() {
  tbb::flow::graph graph;
  auto same = [](int* item) { return item; };
  tbb::flow::function_node<int*, int*> left(graph, tbb::flow::serial, same), right(graph, tbb::flow::serial, same);
  tbb::flow::join_node<std::tuple<int*, int*>, tbb::flow::queueing> join(graph);
  tbb::flow::function_node<std::tuple<int*, int*>> add(graph, tbb::flow::serial, [](const std::tuple<int*, int*>& pair) {
    sum = *std::get<0>(pair) + *std::get<1>(pair);  // race: A
  });
  tbb::flow::function_node<int*> change(graph, tbb::flow::serial, [](int* item) {
    *item = 7;  // race: A
  });
  tbb::flow::make_edge(left, tbb::flow::input_port<0>(join));
  tbb::flow::make_edge(right, tbb::flow::input_port<1>(join));
  tbb::flow::make_edge(join, add);
  tbb::flow::make_edge(left, change);
  left.try_put(&left_item);
  right.try_put(&right_item);
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
