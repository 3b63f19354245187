// A body throws, wait_for_all throws it again when all bodies have ended; the graph is reset and used once more.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include "../../workers.hpp"

int cells[10], sum;

static int run() {
  tbb::flow::graph graph;
  tbb::flow::function_node<int> fill(graph, tbb::flow::unlimited, [](int i) {
    cells[i] += 1;
    if (i == 4 && cells[i] == 1) throw i;
    return tbb::flow::continue_msg();
  });
  int caught = 0;
  for (int i = 0; i < 10; ++i) fill.try_put(i);
  try {
    graph.wait_for_all();
  } catch (int thrown) {
    caught = thrown;
    for (int& cell : cells) cell = 1;
  }
  graph.reset();
  for (int i = 0; i < 10; ++i) fill.try_put(i);
  graph.wait_for_all();
  for (int cell : cells) sum += cell;
  return caught != 4 || sum != 20;
}

int main() { return on_workers(run); }
