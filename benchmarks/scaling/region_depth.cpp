// Regions of one thread inside each other, SIZE levels deep; all threads of all levels read one global.
#include "../bench.h"

#include <omp.h>

namespace {

constexpr int kTimes = 100;
long step = 1;

long descend(long levels) {
  if (levels == 0) return 0;
  long sum = 0;
#pragma omp parallel num_threads(1) shared(sum)
  sum = step + descend(levels - 1);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long levels = bench::size_argument(argc, argv, 100, bench::Polynomial{1});
  omp_set_max_active_levels(1'000'000);
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  for (int i = 0; i < kTimes; ++i) sum += descend(levels);
  bench::require(sum % (kTimes * levels) == 0, "every level ran once");
}
