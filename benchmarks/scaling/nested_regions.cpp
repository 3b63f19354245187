// SIZE regions of one thread, one after the other, inside a region of two threads.
#include "../bench.h"

int main(int argc, char** argv) {
  const long regions = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  long cells[2][8] = {};
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int k = 0; k < 2; ++k)
    for (long i = 0; i < regions / 2; ++i) {
#pragma omp parallel num_threads(1)
      cells[k][0] += 1;
    }
  bench::require(cells[0][0] + cells[1][0] == regions / 2 * 2, "every region ran once");
}
