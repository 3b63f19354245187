// SIZE critical sections of two threads, over a few locks.
#include "../bench.h"

#include <mutex>
#include <thread>

int main(int argc, char** argv) {
  constexpr long kLocks = 16;
  const long sections = bench::size_argument(argc, argv, 1'000'000, bench::Polynomial{1});
  std::mutex mutexes[kLocks];
  long values[kLocks] = {};
  auto work = [&] {
    for (long i = 0; i < sections / 2; ++i) {
      const std::lock_guard guard(mutexes[i % kLocks]);
      values[i % kLocks] += 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
  long sum = 0;
  for (const long value : values) sum += value;
  bench::require(sum == sections / 2 * 2, "every section ran");
}
