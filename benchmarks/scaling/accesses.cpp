// How cost grows with the number of accesses: SIZE reads and writes by kTasks tasks, each over its own region, in an
// order no compiler vectorises. Tasks and memory touched stay the same at every size.
#include "../bench.h"

#include <vector>

namespace {

constexpr long kTasks = 256;
constexpr long kRegion = 4096;     // cells per task, a power of two
constexpr unsigned kStride = 517;  // odd, so that every cell is reached

// One access is a load or a store of a cell; a turn of the loop makes two.
void touch(unsigned* region, long accesses) {
  for (long i = 0; i < accesses / 2; ++i) region[static_cast<unsigned>(i) * kStride % kRegion] += 1;
}

}  // namespace

int main(int argc, char** argv) {
  const long accesses = bench::size_argument(argc, argv, 100'000'000, bench::Polynomial{1});
  const long per_task = accesses / kTasks;
  std::vector<unsigned> cells(kTasks * kRegion);
#pragma omp parallel
#pragma omp single
  for (long task = 0; task < kTasks; ++task) {
#pragma omp task shared(cells) firstprivate(task, per_task)
    touch(cells.data() + task * kRegion, per_task);
  }
  long sum = 0;
  for (unsigned cell : cells) sum += cell;
  bench::require(sum == per_task / 2 * kTasks, "every access happened");
}
