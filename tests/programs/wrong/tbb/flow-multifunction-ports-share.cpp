// A node sends each message to both of its outputs; the serial nodes behind them leave it in the same variable.
// expect: race
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include <tuple>

#include "../../workers.hpp"

int latest;

static int run() {
  using Fork = tbb::flow::multifunction_node<int, std::tuple<int, int>>;
  tbb::flow::graph graph;
  Fork fork(graph, tbb::flow::serial, [](int number, Fork::output_ports_type& ports) {
    std::get<0>(ports).try_put(number);
    std::get<1>(ports).try_put(-number);
  });
  tbb::flow::function_node<int> first(graph, tbb::flow::serial, [](int number) { latest = number; });   // race: A
  tbb::flow::function_node<int> second(graph, tbb::flow::serial, [](int number) { latest = number; });  // race: A
  tbb::flow::make_edge(tbb::flow::output_port<0>(fork), first);
  tbb::flow::make_edge(tbb::flow::output_port<1>(fork), second);
  fork.try_put(1);
  graph.wait_for_all();
  return 0;
}

int main() { return on_workers(run); }
