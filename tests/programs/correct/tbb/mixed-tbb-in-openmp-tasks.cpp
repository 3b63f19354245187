// OpenMP tasks run TBB reductions, each into a variable that the creator reads after taskwait.
// expect: clean
// workers: 1 2 8
// flags: -fopenmp

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <functional>

#include "../../workers.hpp"

int sums[4], total;

static int run() {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 4; ++i)
#pragma omp task firstprivate(i)
      sums[i] = tbb::parallel_reduce(
          tbb::blocked_range<int>(0, 50, 5), 0,
          [i](const tbb::blocked_range<int>& range, int sum) {
            for (int k = range.begin(); k != range.end(); ++k) sum += i;
            return sum;
          },
          std::plus<int>());
#pragma omp taskwait
    for (int sum : sums) total += sum;
  }
  return total != 300;
}

int main() { return on_workers(run); }
