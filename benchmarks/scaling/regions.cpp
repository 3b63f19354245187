// SIZE parallel regions, one after the other.
#include "../bench.h"

int main(int argc, char** argv) {
  const long regions = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  long cells[2][8] = {};
  for (long i = 0; i < regions; ++i) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int k = 0; k < 2; ++k) cells[k][0] += 1;
  }
  bench::require(cells[0][0] == regions && cells[1][0] == regions, "every region ran once");
}
