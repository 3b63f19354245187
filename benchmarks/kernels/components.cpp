// Connected components of a list of edges: labels are lowered by compare-and-swap (an atomic minimum) wherever an edge
// joins two of them, then paths of labels are shortened, until nothing changes. All shared data is atomic and relaxed;
// only the barriers of the loops order anything.
#include "../bench.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

namespace {

struct Edge {
  int a, b;
};

using Labels = std::vector<std::atomic<int>>;

int label_of(const Labels& labels, int v) { return labels[v].load(std::memory_order_relaxed); }

// Returns whether the label was higher.
bool lower(std::atomic<int>& label, int value) {
  int seen = label.load(std::memory_order_relaxed);
  while (value < seen)
    if (label.compare_exchange_weak(seen, value, std::memory_order_relaxed)) return true;
  return false;
}

// Labels every vertex with the lowest vertex of its component.
void label_components(const std::vector<Edge>& edges, Labels& labels) {
  const long n = static_cast<long>(labels.size()), edge_count = static_cast<long>(edges.size());
#pragma omp parallel for schedule(static)
  for (int v = 0; v < n; ++v) labels[v].store(v, std::memory_order_relaxed);
  for (bool changed = true; changed;) {
    changed = false;
#pragma omp parallel for schedule(static) reduction(|| : changed)
    for (long i = 0; i < edge_count; ++i) {
      const int a = label_of(labels, edges[i].a), b = label_of(labels, edges[i].b);
      if (a != b && lower(labels[std::max(a, b)], std::min(a, b))) changed = true;
    }
#pragma omp parallel for schedule(dynamic, 1024)
    for (int v = 0; v < n; ++v) {
      int label = label_of(labels, v);
      for (int above; (above = label_of(labels, label)) != label;) label = above;
      labels[v].store(label, std::memory_order_relaxed);
    }
  }
}

// About two ends of edges a vertex: one large component, and many small ones beside it.
std::vector<Edge> generate(long n) {
  bench::Random random(1);
  std::vector<Edge> edges;
  for (long i = 0; i < n; ++i)
    edges.push_back({static_cast<int>(random.below(n)), static_cast<int>(random.below(n))});
  return edges;
}

// The same labels by union-find, one edge at a time.
std::vector<int> expected_labels(long n, const std::vector<Edge>& edges) {
  std::vector<int> above(n);
  std::iota(above.begin(), above.end(), 0);
  auto find = [&](int v) {
    while (above[v] != v) v = above[v] = above[above[v]];
    return v;
  };
  for (const Edge edge : edges) {
    const int a = find(edge.a), b = find(edge.b);
    above[std::max(a, b)] = std::min(a, b);
  }
  for (int v = 0; v < n; ++v) above[v] = find(v);
  return above;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRepetitions = 15;
  const long n = bench::size_argument(argc, argv, 400'000, bench::Polynomial{1});
  const std::vector<Edge> edges = generate(n);
  Labels labels(n);
  for (int i = 0; i < kRepetitions; ++i) label_components(edges, labels);
  const std::vector<int> expected = expected_labels(n, edges);
  for (int v = 0; v < n; ++v) bench::require(labels[v] == expected[v], "lowest vertex of the component");
}
