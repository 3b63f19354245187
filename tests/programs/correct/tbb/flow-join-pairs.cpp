// Items of two nodes are joined in pairs, by order of arrival, by reservation and by key; who gets a pair reads and
// writes both.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include <tuple>

#include "../../workers.hpp"

struct Item {
  int key, value;
};
Item lefts[8], rights[8];

template <class Join>
static int pairs_of(tbb::flow::graph& graph, Join& join, bool buffered) {
  int sum = 0;
  using Node = tbb::flow::function_node<Item*, Item*>;
  auto twice = [](Item* item) {
    item->value = 2 * item->key;
    return item;
  };
  Node left(graph, tbb::flow::unlimited, twice), right(graph, tbb::flow::unlimited, twice);
  tbb::flow::queue_node<Item*> left_queue(graph), right_queue(graph);
  tbb::flow::function_node<std::tuple<Item*, Item*>> add(graph, tbb::flow::serial, [&](const std::tuple<Item*, Item*>& pair) {
    std::get<0>(pair)->value += std::get<1>(pair)->value;
    sum += std::get<0>(pair)->value;
  });
  if (buffered) {
    tbb::flow::make_edge(left, left_queue);
    tbb::flow::make_edge(right, right_queue);
    tbb::flow::make_edge(left_queue, tbb::flow::input_port<0>(join));
    tbb::flow::make_edge(right_queue, tbb::flow::input_port<1>(join));
  } else {
    tbb::flow::make_edge(left, tbb::flow::input_port<0>(join));
    tbb::flow::make_edge(right, tbb::flow::input_port<1>(join));
  }
  tbb::flow::make_edge(join, add);
  for (int i = 0; i < 8; ++i) lefts[i].key = rights[i].key = i;
  for (int i = 0; i < 8; ++i) {
    left.try_put(&lefts[i]);
    right.try_put(&rights[7 - i]);
  }
  graph.wait_for_all();
  return sum;
}

static int run() {
  using Pair = std::tuple<Item*, Item*>;
  tbb::flow::graph graph;
  tbb::flow::join_node<Pair, tbb::flow::queueing> queueing(graph);
  if (pairs_of(graph, queueing, false) != 112) return 1;
  tbb::flow::join_node<Pair, tbb::flow::reserving> reserving(graph);
  if (pairs_of(graph, reserving, true) != 112) return 2;
  auto key = [](Item* item) { return item->key; };
  tbb::flow::join_node<Pair, tbb::flow::key_matching<int>> matching(graph, key, key);
  return pairs_of(graph, matching, false) != 112;
}

int main() { return on_workers(run); }
