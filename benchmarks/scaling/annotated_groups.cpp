// SIZE tasks that change two variables that are meant to be atomic as a group, each task in one section of a lock.
#include "../bench.h"

#include <mutex>

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::mutex mutex;
  long balance = 0, entries = 0;
  bench::atomic_group(balance, entries);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < tasks; ++i) {
#pragma omp task shared(mutex, balance, entries)
    {
      const std::lock_guard guard(mutex);
      balance += 1;
      entries += 1;
    }
  }
  bench::require(balance == tasks && entries == tasks, "every task ran once");
}
