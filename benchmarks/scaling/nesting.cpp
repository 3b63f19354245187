// Chains of SIZE tasks, each inside the one before, which waits for it. All read the same cells, so tasks of different
// chains, at every depth, must be found parallel.
#include "../bench.h"

#include <numeric>
#include <vector>

namespace {

constexpr long kChains = 200;
constexpr long kSharedCells = 8;

void descend(const std::vector<long>& shared, long levels, long& sum) {
#pragma omp task shared(shared, sum) firstprivate(levels)
  {
    for (long cell : shared) sum += cell;
    if (levels > 1) descend(shared, levels - 1, sum);
  }
#pragma omp taskwait
}

}  // namespace

int main(int argc, char** argv) {
  const long levels = bench::size_argument(argc, argv, 100, bench::Polynomial{1});
  const std::vector<long> shared(kSharedCells, 1);
  std::vector<long> sums(kChains);
#pragma omp parallel
#pragma omp single
  for (long& sum : sums) {
#pragma omp task shared(shared, sum)
    descend(shared, levels, sum);
  }
  const long total = std::accumulate(sums.begin(), sums.end(), 0L);
  bench::require(total == kChains * levels * kSharedCells, "every task ran once");
}
