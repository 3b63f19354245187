// SIZE chunks of dynamic loops, a thousand a loop.
#include "../bench.h"

#include <vector>

int main(int argc, char** argv) {
  constexpr long kLoop = 1000;
  const long chunks = bench::size_argument(argc, argv, 1'000'000, bench::Polynomial{1});
  const long step = 1;
  std::vector<long> cells(kLoop);
  for (long done = 0; done < chunks; done += kLoop) {
#pragma omp parallel for schedule(dynamic, 1)
    for (long i = 0; i < kLoop; ++i) cells[i] += step;
  }
  bench::require(cells[0] == (chunks + kLoop - 1) / kLoop, "every loop ran once");
}
