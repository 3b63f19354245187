// Counts the nodes of an unbalanced tree that exists only as hashes: a task per node, no cut-off, unpredictable sizes.
#include "../bench.h"

#include <array>

namespace {

constexpr int kChildren = 6;  // of an inner node
constexpr double kInnerChance =
    0.16;                        // times kChildren < 1, so the tree is finite; near 1, so it is unbalanced
constexpr int kHashRounds = 80;  // work per node, a good part of a SHA-1
constexpr long kStandardNodes = 1'134'646;

struct Node {
  std::array<std::uint64_t, 4> digest;
};

Node child_of(const Node& parent, std::uint64_t index) {
  Node child = parent;
  for (int round = 0; round < kHashRounds; ++round) {
    std::uint64_t& word = child.digest[round % 4];
    word = bench::mix(word + index + child.digest[(round + 1) % 4]);
  }
  return child;
}

bool is_inner(const Node& node) { return static_cast<double>(node.digest[0] >> 11) * 0x1p-53 < kInnerChance; }

long count_nodes(const Node& node) {
  if (!is_inner(node)) return 1;
  std::array<long, kChildren> below;
  for (int i = 0; i < kChildren; ++i) {
#pragma omp task shared(below, node) firstprivate(i)
    below[i] = count_nodes(child_of(node, i));
  }
#pragma omp taskwait
  long total = 1;
  for (long count : below) total += count;
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr long kStandardTrees = 40'000;
  const long trees = bench::size_argument(argc, argv, kStandardTrees, bench::Polynomial{1});
  const Node root{{1, 2, 3, 4}};
  long nodes = 0, inner_trees = 0;
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < trees; ++i) {
#pragma omp task shared(root, nodes, inner_trees) firstprivate(i)
    {
      const Node top = child_of(root, i);
      const long count = count_nodes(top);
#pragma omp atomic
      nodes += count;
      if (is_inner(top)) {
#pragma omp atomic
        ++inner_trees;
      }
    }
  }
  bench::require((nodes - trees) % kChildren == 0, "every inner node has the same number of children");
  bench::require(nodes >= trees + inner_trees * kChildren, "every inner tree has children");
  if (trees == kStandardTrees) bench::require(nodes == kStandardNodes, "number of nodes");
}
