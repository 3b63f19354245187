// A task per node of linked lists: a task walks each list and starts a task for every node it meets, which sorts the
// node's few readings and stores their median. The walker reads pointers beside words that its own tasks write.
#include "../bench.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace {

constexpr long kLists = 64;
constexpr int kReadings = 32;  // per node
constexpr int kRounds = 4;

struct Node {
  Node* next = nullptr;
  int median = 0;
  std::array<int, kReadings> readings;
};

int reading(long node, int round, int index) {
  return static_cast<int>(bench::mix((node * kRounds + round) * kReadings + index) % 100'000);
}

void sort(std::array<int, kReadings>& readings) {
  for (int i = 1; i < kReadings; ++i) {
    const int value = readings[i];
    int place = i;
    for (; place > 0 && readings[place - 1] > value; --place) readings[place] = readings[place - 1];
    readings[place] = value;
  }
}

// New readings differ from the last ones, so every round sorts.
void handle(Node& node, long number, int round) {
  for (int i = 0; i < kReadings; ++i) node.readings[i] = reading(number, round, i);
  sort(node.readings);
  node.median = node.readings[kReadings / 2];
}

void walk(Node* node, long list, int round) {
  for (long place = 0; node; node = node->next, ++place) {
#pragma omp task firstprivate(node, place, list, round)
    handle(*node, place * kLists + list, round);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long length = bench::size_argument(argc, argv, 1000, bench::Polynomial{1});
  const long count = kLists * length;
  std::vector<std::unique_ptr<Node>> nodes;
  for (long i = 0; i < count; ++i) nodes.push_back(std::make_unique<Node>());
  // Lists grow and shrink in real programs: neighbours in a list are none in memory.
  bench::Random random(1);
  for (long i = count - 1; i > 0; --i) std::swap(nodes[i], nodes[random.below(i + 1)]);
  for (long i = kLists; i < count; ++i) nodes[i - kLists]->next = nodes[i].get();

#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; ++round) {
#pragma omp taskgroup
    for (long list = 0; list < kLists; ++list) {
#pragma omp task shared(nodes) firstprivate(list, round)
      walk(nodes[list].get(), list, round);
    }
  }
  for (long i = 0; i < count; ++i) {
    std::array<int, kReadings> expected;
    for (int k = 0; k < kReadings; ++k) expected[k] = reading(i, kRounds - 1, k);
    std::nth_element(expected.begin(), expected.begin() + kReadings / 2, expected.end());
    bench::require(nodes[i]->median == expected[kReadings / 2], "median of the last readings");
  }
}
