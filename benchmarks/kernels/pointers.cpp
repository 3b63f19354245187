// Tasks walk linked lists scattered over the heap: each writes the nodes of its own list and reads words all share.
// No locality, no vector loops: the cost of one isolated access.
#include "../bench.h"

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace {

constexpr long kLists = 256;
constexpr long kWords = 4096;
constexpr int kRounds = 12;

struct Word {
  long weight;
};

struct Node {
  Node* next;
  const Word* word;
  long visits;
};

long walk(Node* node) {
  long sum = 0;
  for (; node; node = node->next) {
    sum += node->word->weight;
    ++node->visits;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long node_count = kLists * bench::size_argument(argc, argv, 1800, bench::Polynomial{1});
  bench::Random random(1);
  std::vector<std::unique_ptr<Word>> words;
  for (long i = 0; i < kWords; ++i) words.push_back(std::make_unique<Word>(Word{random.below(1000)}));

  std::vector<std::unique_ptr<Node>> nodes;
  for (long i = 0; i < node_count; ++i) nodes.push_back(std::make_unique<Node>());
  std::vector<Node*> shuffled;
  for (auto& node : nodes) shuffled.push_back(node.get());
  for (long i = node_count - 1; i > 0; --i) std::swap(shuffled[i], shuffled[random.below(i + 1)]);

  std::vector<Node*> heads(kLists);
  long expected = 0;
  for (long i = 0; i < node_count; ++i) {
    const Word* word = words[random.below(kWords)].get();
    expected += kRounds * word->weight;
    *shuffled[i] = {heads[i % kLists], word, 0};
    heads[i % kLists] = shuffled[i];
  }

  std::vector<long> sums(kLists);
  bench::atomic(sums);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; ++round) {
    for (long list = 0; list < kLists; ++list) {
#pragma omp task shared(heads, sums) firstprivate(list)
      sums[list] += walk(heads[list]);
    }
#pragma omp taskwait
  }
  bench::require(std::accumulate(sums.begin(), sums.end(), 0L) == expected, "sum of all walks");
  for (auto& node : nodes) bench::require(node->visits == kRounds, "every node visited once a round");
}
