// An input node numbers the items, a node without a limit changes them, and a sequencer puts them in order again for
// a serial one.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

struct Item {
  std::size_t number;
  int value;
};
Item items[16];
int made, expected, mistakes;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::input_node<Item*> input(graph, [](tbb::flow_control& control) -> Item* {
    if (made == 16) {
      control.stop();
      return nullptr;
    }
    items[made].number = static_cast<std::size_t>(made);
    return &items[made++];
  });
  tbb::flow::function_node<Item*, Item*> change(graph, tbb::flow::unlimited, [](Item* item) {
    item->value = static_cast<int>(item->number) + 1;
    return item;
  });
  tbb::flow::sequencer_node<Item*> order(graph, [](Item* item) { return item->number; });
  tbb::flow::function_node<Item*> check(graph, tbb::flow::serial, [](Item* item) { mistakes += item->value != ++expected; });
  tbb::flow::make_edge(input, change);
  tbb::flow::make_edge(change, order);
  tbb::flow::make_edge(order, check);
  input.activate();
  graph.wait_for_all();
  return mistakes != 0 || expected != 16;
}

int main() { return on_workers(run); }
