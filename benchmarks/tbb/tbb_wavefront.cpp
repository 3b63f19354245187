// The longest common subsequence of two texts: a flow graph with a node per tile, and edges from above and from the
// left.
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "../bench.h"

namespace {

using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;

constexpr long kTile = 128;

// lengths(i, j) is the length for the first i letters of one text and the first j of the other.
class Lengths {
 public:
  explicit Lengths(long n) : n_(n), cells_((n + 1) * (n + 1)) {}
  int* row(long i) { return cells_.data() + i * (n_ + 1); }

  void fill(const std::vector<char>& a, const std::vector<char>& b, long top, long left) {
    for (long i = top + 1; i <= std::min(top + kTile, n_); ++i) {
      const int* above = row(i - 1);
      int* here = row(i);
      for (long j = left + 1; j <= std::min(left + kTile, n_); ++j)
        here[j] = a[i - 1] == b[j - 1] ? above[j - 1] + 1 : std::max(above[j], here[j - 1]);
    }
  }

 private:
  long n_;
  std::vector<int> cells_;
};

}  // namespace

int main(int argc, char** argv) {
  const long tiles = bench::size_argument(argc, argv, 70, bench::Polynomial{2});
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  const long n = tiles * kTile;
  std::vector<char> a(n), b(n);
  for (long i = 0; i < n; ++i) {
    a[i] = static_cast<char>('a' + bench::mix(i) % 4);
    b[n - 1 - i] = a[i];
  }
  Lengths lengths(n);
  tbb::flow::graph graph;
  std::vector<std::unique_ptr<Node>> nodes(tiles * tiles);
  for (long i = 0; i < tiles; ++i)
    for (long j = 0; j < tiles; ++j) {
      auto& node = nodes[i * tiles + j];
      node = std::make_unique<Node>(
          graph, [&, i, j](const tbb::flow::continue_msg&) { lengths.fill(a, b, i * kTile, j * kTile); });
      if (i > 0) tbb::flow::make_edge(*nodes[(i - 1) * tiles + j], *node);
      if (j > 0) tbb::flow::make_edge(*nodes[i * tiles + j - 1], *node);
    }
  nodes[0]->try_put(tbb::flow::continue_msg());
  graph.wait_for_all();
  // A text and its reverse: what they have in common is a longest palindrome, at least as long as its commonest
  // letter is often.
  const long commonest = std::count(a.begin(), a.end(), 'a');
  bench::require(lengths.row(n)[n] >= commonest, "as long as the letters of one kind");
  for (long i = 1; i <= n; ++i)
    bench::require(lengths.row(i)[n] >= lengths.row(i - 1)[n], "longer texts have more in common");
}
