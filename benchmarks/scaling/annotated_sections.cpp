// SIZE tasks that change data that is meant to be atomic, each in four sections of a lock: the lock is released and
// acquired again in between, so each of the tasks can come between two sections of each other one, and that is found.
#include "../bench.h"

#include <mutex>
#include <vector>

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::mutex mutex;
  std::vector<long> balance(1);
  bench::atomic(balance);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < tasks; ++i) {
#pragma omp task shared(mutex, balance)
    for (int section = 0; section < 4; ++section) {
      const std::lock_guard guard(mutex);
      balance[0] += 1;
    }
  }
  bench::require(balance[0] == 4 * tasks, "every task ran once");
}
