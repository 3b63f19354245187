// SIZE single constructs, each with its barrier, in one region.
#include "../bench.h"

int main(int argc, char** argv) {
  const long singles = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  long total = 0;
#pragma omp parallel
  for (long i = 0; i < singles; ++i) {
#pragma omp single
    total += 1;
  }
  bench::require(total == singles, "every single ran once");
}
