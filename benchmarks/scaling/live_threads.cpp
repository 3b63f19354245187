// SIZE threads that are alive at the same time. Each counts with atomics, adds to a sum under a lock, and reads common
// data.
#include "../bench.h"

#include <atomic>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  constexpr int kTurns = 200;
  const long all = bench::size_argument(argc, argv, 100, bench::Polynomial{1});
  const std::vector<long> common(64, 1);
  std::latch everyone(all);
  std::atomic<long> counter{0};
  std::mutex mutex;
  long sum = 0;
  std::vector<std::thread> threads;
  for (long i = 0; i < all; ++i)
    threads.emplace_back([&] {
      everyone.arrive_and_wait();
      for (int turn = 0; turn < kTurns; ++turn) {
        counter.fetch_add(1);
        const std::lock_guard guard(mutex);
        sum += common[turn % 64];
      }
    });
  for (std::thread& thread : threads) thread.join();
  bench::require(counter == all * kTurns && sum == all * kTurns, "every thread ran");
}
