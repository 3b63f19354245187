// How cost grows with the number of tasks: SIZE tasks by one creator, each reading a shared cell and writing its own.
// The cells are reused in blocks of kLive, with a taskwait between: memory touched stays the same at every size.
#include "../bench.h"

#include <algorithm>
#include <vector>

namespace {
constexpr long kLive = 1000;
}

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 1'000'000, bench::Polynomial{1});
  const long step = 1;
  std::vector<long> cells(kLive);
#pragma omp parallel
#pragma omp single
  for (long done = 0; done < tasks; done += kLive) {
    const long block = std::min(kLive, tasks - done);
    for (long i = 0; i < block; ++i) {
#pragma omp task shared(cells, step) firstprivate(i)
      cells[i] += step;
    }
#pragma omp taskwait
  }
  long sum = 0;
  for (long cell : cells) sum += cell;
  bench::require(sum == tasks, "every task ran once");
}
