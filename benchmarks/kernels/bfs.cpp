// Breadth-first search level by level, on a graph in which a few vertices have very many neighbours: threads claim
// vertices by compare-and-swap, and what they claimed is the next level. A relaxed load beside the compare-and-swap
// saves most of them.
#include "../bench.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

namespace {

constexpr int kNobody = -1;
constexpr long kEdgesPerVertex = 8;
constexpr int kSearches = 20;

// Compressed rows: the neighbours of v are neighbour[start[v]] to neighbour[start[v + 1] - 1].
struct Graph {
  std::vector<long> start;
  std::vector<int> neighbour;
  long vertices() const { return static_cast<long>(start.size()) - 1; }
};

// The k-th most popular vertex is drawn with a probability that falls as a power of k.
int popular(bench::Random& random, long n) {
  const double u = static_cast<double>(random.next() >> 11) * 0x1p-53;
  const long rank = static_cast<long>(u * u * u * static_cast<double>(n));
  return static_cast<int>(rank * 2'654'435'761 % n);  // the popular ones are spread over all numbers
}

Graph generate(long n) {
  bench::Random random(1);
  std::vector<std::pair<int, int>> edges;
  for (long i = 0; i < n * kEdgesPerVertex; ++i)
    edges.emplace_back(static_cast<int>(random.below(n)), popular(random, n));
  Graph graph{std::vector<long>(n + 1), std::vector<int>(2 * edges.size())};
  for (auto [a, b] : edges) {
    ++graph.start[a + 1];
    ++graph.start[b + 1];
  }
  std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
  std::vector<long> place = graph.start;
  for (auto [a, b] : edges) {
    graph.neighbour[place[a]++] = b;
    graph.neighbour[place[b]++] = a;
  }
  return graph;
}

struct Tree {
  explicit Tree(long n) : parent(n), depth(n) {}
  std::vector<std::atomic<int>> parent;  // of the root: itself
  std::vector<int> depth;                // written by whoever claimed the vertex
};

bool claim(std::atomic<int>& parent, int claimant) {
  if (parent.load(std::memory_order_relaxed) != kNobody) return false;
  int nobody = kNobody;
  return parent.compare_exchange_strong(nobody, claimant, std::memory_order_relaxed);
}

void search(const Graph& graph, int root, Tree& tree) {
  const long n = graph.vertices();
#pragma omp parallel for schedule(static)
  for (long v = 0; v < n; ++v) tree.parent[v].store(kNobody, std::memory_order_relaxed);
  claim(tree.parent[root], root);
  tree.depth[root] = 0;

  std::vector<int> level(n), next(n);
  level[0] = root;
  long size = 1;
  for (int depth = 1; size > 0; ++depth) {
    std::atomic<long> claimed{0};
#pragma omp parallel
    {
      std::vector<int> mine;
#pragma omp for schedule(dynamic, 64) nowait
      for (long i = 0; i < size; ++i) {
        const int u = level[i];
        for (long k = graph.start[u]; k < graph.start[u + 1]; ++k) {
          const int v = graph.neighbour[k];
          if (!claim(tree.parent[v], u)) continue;
          tree.depth[v] = depth;
          mine.push_back(v);
        }
      }
      const long place = claimed.fetch_add(static_cast<long>(mine.size()), std::memory_order_relaxed);
      std::copy(mine.begin(), mine.end(), next.begin() + place);
    }
    level.swap(next);
    size = claimed;
  }
}

// Depths are those of a shortest path if no edge skips a level and every parent is a neighbour one level above.
void check(const Graph& graph, int root, const Tree& tree) {
  const long n = graph.vertices();
  std::vector<char> child_of_parent(n);
  long reached = 0;
  for (int u = 0; u < n; ++u) {
    if (tree.parent[u] == kNobody) continue;
    ++reached;
    for (long k = graph.start[u]; k < graph.start[u + 1]; ++k) {
      const int v = graph.neighbour[k];
      bench::require(tree.parent[v] != kNobody, "neighbours are reached");
      bench::require(tree.depth[v] <= tree.depth[u] + 1, "no edge skips a level");
      if (tree.parent[v] == u && tree.depth[v] == tree.depth[u] + 1) child_of_parent[v] = 1;
    }
  }
  bench::require(tree.parent[root] == root && tree.depth[root] == 0, "the root is the root");
  const long children = std::count(child_of_parent.begin(), child_of_parent.end(), 1);
  bench::require(children == reached - 1, "every other vertex is below its parent");
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 200'000, bench::Polynomial{1});
  const Graph graph = generate(n);
  Tree tree(n);
  for (int i = 0; i < kSearches; ++i) search(graph, static_cast<int>(n * i / kSearches), tree);
  check(graph, static_cast<int>(n * (kSearches - 1) / kSearches), tree);
}
