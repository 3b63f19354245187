// SIZE tasks, each created by the one before, which ends without waiting for it; all read one global.
#include "../bench.h"

namespace {

long step = 1;
long done = 0;

void next(long tasks) {
  if (tasks == 0) return;
#pragma omp task
  {
    done += step;
    next(tasks - 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
#pragma omp parallel
#pragma omp single
  next(tasks);
  bench::require(done == tasks, "every task ran once");
}
