// A node with two outputs sends odd and even numbers to two serial nodes, each with a sum of its own.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include <tuple>

#include "../../workers.hpp"

int odd, even;

static int run() {
  using Sorter = tbb::flow::multifunction_node<int, std::tuple<int, int>>;
  tbb::flow::graph graph;
  Sorter sorter(graph, tbb::flow::unlimited, [](int number, Sorter::output_ports_type& ports) {
    if (number % 2)
      std::get<1>(ports).try_put(number);
    else
      std::get<0>(ports).try_put(number);
  });
  tbb::flow::function_node<int> add_even(graph, tbb::flow::serial, [](int number) { even += number; });
  tbb::flow::function_node<int> add_odd(graph, tbb::flow::serial, [](int number) { odd += number; });
  tbb::flow::make_edge(tbb::flow::output_port<0>(sorter), add_even);
  tbb::flow::make_edge(tbb::flow::output_port<1>(sorter), add_odd);
  for (int i = 0; i < 20; ++i) sorter.try_put(i);
  graph.wait_for_all();
  return odd != 100 || even != 90;
}

int main() { return on_workers(run); }
