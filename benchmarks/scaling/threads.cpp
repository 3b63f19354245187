// SIZE threads that come and go, at most 32 alive at a time, with a few atomics each.
#include "../bench.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  constexpr long kRound = 32;
  const long all = bench::size_argument(argc, argv, 10'000, bench::Polynomial{1});
  std::atomic<long> counter{0};
  for (long done = 0; done < all; done += kRound) {
    std::vector<std::thread> threads;
    for (long i = done; i < std::min(done + kRound, all); ++i)
      threads.emplace_back([&counter] {
        for (int k = 0; k < 4; ++k) counter.fetch_add(1);
      });
    for (std::thread& thread : threads) thread.join();
  }
  bench::require(counter == 4 * all, "every thread ran once");
}
