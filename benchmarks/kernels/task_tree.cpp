// The smallest tasks there are: a game tree with a task per position, each of which reads two globals (the depth at
// which to stop, and where the table of values is) and some entries of the table, and writes one word for its parent.
#include "../bench.h"

#include <algorithm>
#include <vector>

namespace {

constexpr int kDepth = 8;
constexpr long kValues = 1024;

// Set once by main, before there are tasks.
int deepest;
const int* table;

int guess(std::uint64_t position) {
  return table[position % kValues] - table[(position / kValues) % kValues];
}

std::uint64_t after(std::uint64_t position, int move) { return bench::mix(position * 2 + move); }

int play(std::uint64_t position, int depth) {
  if (depth == deepest) return guess(position);
  int left, right;
#pragma omp task shared(left) firstprivate(position, depth)
  left = -play(after(position, 0), depth + 1);
#pragma omp task shared(right) firstprivate(position, depth)
  right = -play(after(position, 1), depth + 1);
#pragma omp taskwait
  return std::max(left, right);
}

int play_alone(std::uint64_t position, int depth) {
  if (depth == deepest) return guess(position);
  return std::max(-play_alone(after(position, 0), depth + 1), -play_alone(after(position, 1), depth + 1));
}

}  // namespace

int main(int argc, char** argv) {
  const long games = bench::size_argument(argc, argv, 1500, bench::Polynomial{1});
  bench::Random random(1);
  std::vector<int> values(kValues);
  for (int& value : values) value = static_cast<int>(random.below(1000));
  table = values.data();
  deepest = kDepth;
  std::vector<int> results(games);
#pragma omp parallel
#pragma omp single
  for (long game = 0; game < games; ++game) {
#pragma omp task shared(results) firstprivate(game)
    results[game] = play(game, 0);
  }
  for (long game = 0; game < games; ++game)
    bench::require(results[game] == play_alone(game, 0), "value of a game");
}
