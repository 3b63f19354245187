// A thread per request, as simple servers have it: tens of thousands of std::threads that live for some microseconds,
// 32 of them at a time, each with a few atomic operations and one result that its creator reads after the join.
#include "../bench.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <thread>

namespace {

constexpr long kAlive = 32;
constexpr int kHits = 4;  // counters that a request adds to
constexpr std::size_t kCounters = 16;

struct Statistics {
  std::atomic<long> started{0};
  std::atomic<std::uint64_t> largest{0};
  std::array<std::atomic<long>, kCounters> counters{};
};

std::uint64_t cost_of(long request) { return bench::mix(request) >> 20; }

void raise(std::atomic<std::uint64_t>& largest, std::uint64_t value) {
  std::uint64_t seen = largest.load(std::memory_order_relaxed);
  while (seen < value && !largest.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

void serve(long request, Statistics& statistics, std::uint64_t& result) {
  statistics.started.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t cost = cost_of(request);
  raise(statistics.largest, cost);
  for (int i = 0; i < kHits; ++i)
    statistics.counters[(cost + i) % kCounters].fetch_add(1, std::memory_order_relaxed);
  result = cost;
}

}  // namespace

int main(int argc, char** argv) {
  const long requests = bench::size_argument(argc, argv, 12'000, bench::Polynomial{1});
  Statistics statistics;
  std::array<std::thread, kAlive> threads;
  std::array<std::uint64_t, kAlive> results;
  std::uint64_t total = 0, expected = 0, largest = 0;
  for (long request = 0; request < requests + kAlive; ++request) {
    const long slot = request % kAlive;
    if (threads[slot].joinable()) {
      threads[slot].join();
      total += results[slot];
    }
    if (request >= requests) continue;
    threads[slot] = std::thread(serve, request, std::ref(statistics), std::ref(results[slot]));
    expected += cost_of(request);
    largest = std::max(largest, cost_of(request));
  }
  long hits = 0;
  for (const auto& counter : statistics.counters) hits += counter;
  bench::require(total == expected, "every request has its result");
  bench::require(statistics.started == requests && hits == requests * kHits, "every request is counted");
  bench::require(statistics.largest == largest, "largest cost");
}
