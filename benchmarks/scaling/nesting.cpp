// How cost grows with nesting: about kTasks tasks in all, in chains of SIZE tasks each inside the one before. Every
// task reads cells that all chains share and writes one of its own, so tasks of different chains, at every depth, must
// be found parallel.
#include "../bench.h"

#include <numeric>
#include <vector>

namespace {

constexpr long kTasks = 200'000;
constexpr long kSharedCells = 64;

struct World {
  std::vector<long> shared;
  std::vector<long> own;
};

void descend(World& world, long task, long levels) {
#pragma omp task shared(world) firstprivate(task, levels)
  {
    long sum = 0;
    for (long cell : world.shared) sum += cell;
    world.own[task] = sum;
    if (levels > 1) descend(world, task + 1, levels - 1);
  }
#pragma omp taskwait
}

}  // namespace

int main(int argc, char** argv) {
  const long levels = bench::size_argument(argc, argv, 8, bench::Polynomial{1});
  const long chains = kTasks / levels;
  World world{std::vector<long>(kSharedCells, 1), std::vector<long>(chains * levels)};
#pragma omp parallel
#pragma omp single
  for (long chain = 0; chain < chains; ++chain) {
#pragma omp task shared(world) firstprivate(chain, levels)
    descend(world, chain * levels, levels);
  }
  const long total = std::accumulate(world.own.begin(), world.own.end(), 0L);
  bench::require(total == chains * levels * kSharedCells, "every task ran once");
}
