// SIZE tasks ordered by their dependences on eight variables: one writes, seven read.
#include "../bench.h"

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  long cells[8] = {}, sum = 0;
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < tasks / 8; ++i) {
    long* const cell = &cells[i % 8];
#pragma omp task depend(out : *cell) firstprivate(cell)
    *cell += 1;
    for (int reader = 0; reader < 7; ++reader) {
#pragma omp task depend(in : *cell) firstprivate(cell) shared(sum)
#pragma omp atomic
      sum += *cell > 0;
    }
  }
  bench::require(sum == tasks / 8 * 7, "every task ran once, in order");
}
