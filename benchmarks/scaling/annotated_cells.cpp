// SIZE cells that are meant to be atomic, each changed by two threads in a section of a lock.
#include "../bench.h"

#include <mutex>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const long count = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::mutex mutex;
  std::vector<long> cells(static_cast<std::size_t>(count));
  bench::atomic(cells);
  auto work = [&] {
    for (long& cell : cells) {
      const std::lock_guard guard(mutex);
      cell += 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
  bench::require(cells.back() == 2, "every section ran");
}
