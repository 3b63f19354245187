// A pair is split to two serial nodes; an indexer brings what they send to one serial node, which has the total to
// itself.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include <tuple>

#include "../../workers.hpp"

int halves[2][8], total;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::split_node<std::tuple<int, int>> split(graph);
  using Node = tbb::flow::function_node<int, int*>;
  Node left(graph, tbb::flow::serial, [](int i) { return halves[0][i] = i, &halves[0][i]; });
  Node right(graph, tbb::flow::serial, [](int i) { return halves[1][i] = 2 * i, &halves[1][i]; });
  tbb::flow::indexer_node<int*, int*> indexer(graph);
  using Message = tbb::flow::indexer_node<int*, int*>::output_type;
  tbb::flow::function_node<Message> add(graph, tbb::flow::serial,
                                        [](const Message& message) { total += *tbb::flow::cast_to<int*>(message); });
  tbb::flow::make_edge(tbb::flow::output_port<0>(split), left);
  tbb::flow::make_edge(tbb::flow::output_port<1>(split), right);
  tbb::flow::make_edge(left, tbb::flow::input_port<0>(indexer));
  tbb::flow::make_edge(right, tbb::flow::input_port<1>(indexer));
  tbb::flow::make_edge(indexer, add);
  for (int i = 0; i < 8; ++i) split.try_put(std::make_tuple(i, 7 - i));
  graph.wait_for_all();
  return total != 84;
}

int main() { return on_workers(run); }
