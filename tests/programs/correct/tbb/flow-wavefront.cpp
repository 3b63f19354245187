// A node for each cell of a grid, with edges from above and from the left.
// expect: clean
// workers: 1 2 8

#include <tbb/flow_graph.h>

#include <memory>

#include "../../workers.hpp"

enum { N = 6 };
int paths[N][N];

static int run() {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::flow::graph graph;
  std::unique_ptr<Node> nodes[N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      nodes[i][j] = std::make_unique<Node>(graph, [i, j](const tbb::flow::continue_msg&) {
        paths[i][j] = i == 0 || j == 0 ? 1 : paths[i - 1][j] + paths[i][j - 1];
      });
      if (i > 0) tbb::flow::make_edge(*nodes[i - 1][j], *nodes[i][j]);
      if (j > 0) tbb::flow::make_edge(*nodes[i][j - 1], *nodes[i][j]);
    }
  nodes[0][0]->try_put(tbb::flow::continue_msg());
  graph.wait_for_all();
  return paths[N - 1][N - 1] != 252;
}

int main() { return on_workers(run); }
