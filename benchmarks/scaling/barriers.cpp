// SIZE barriers in one region: in each phase every thread reads what its neighbour wrote in the one before.
#include "../bench.h"

#include <omp.h>

int main(int argc, char** argv) {
  const long phases = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  long cells[2][2] = {};
#pragma omp parallel num_threads(2)
  for (long i = 0; i < phases; ++i) {
    const int me = omp_get_thread_num();
    cells[(i + 1) % 2][me] = cells[i % 2][1 - me] + 1;
#pragma omp barrier
  }
  bench::require(cells[phases % 2][0] == phases, "every phase ran once");
}
