// Prefix sums by std::threads that share only atomics: chunks are claimed from a work counter, and the running total is
// passed from chunk to chunk by release/acquire flags. A claimed chunk's predecessor was claimed earlier, so the
// wait for it always ends.
#include "../bench.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr long kChunk = 4096;
constexpr int kRounds = 60;

struct ChunkTotal {
  std::atomic<bool> ready{false};
  std::uint64_t value = 0;  // published by ready
};

using Numbers = std::vector<std::uint64_t>;

void work(const Numbers& in, Numbers& out, std::atomic<long>& next_chunk, std::vector<ChunkTotal>& totals) {
  const long chunks = static_cast<long>(totals.size());
  for (;;) {
    const long chunk = next_chunk.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= chunks) return;
    std::uint64_t sum = 0;
    for (long i = chunk * kChunk; i < (chunk + 1) * kChunk; ++i) out[i] = sum += bench::mix(in[i]) % 1000;

    std::uint64_t before = 0;
    if (chunk > 0) {
      while (!totals[chunk - 1].ready.load(std::memory_order_acquire)) std::this_thread::yield();
      before = totals[chunk - 1].value;
    }
    totals[chunk].value = before + sum;
    totals[chunk].ready.store(true, std::memory_order_release);
    for (long i = chunk * kChunk; i < (chunk + 1) * kChunk; ++i) out[i] += before;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long chunks = bench::size_argument(argc, argv, 500, bench::Polynomial{1});
  Numbers in(chunks * kChunk), out(chunks * kChunk);
  for (long i = 0; i < chunks * kChunk; ++i) in[i] = i;
  bench::atomic(out);
  for (int round = 0; round < kRounds; ++round) {
    std::atomic<long> next_chunk{0};
    std::vector<ChunkTotal> totals(chunks);
    std::vector<std::thread> threads;
    for (int i = 0; i < bench::thread_count(); ++i)
      threads.emplace_back(work, std::cref(in), std::ref(out), std::ref(next_chunk), std::ref(totals));
    for (auto& thread : threads) thread.join();
  }
  std::uint64_t sum = 0;
  for (long i = 0; i < chunks * kChunk; ++i) {
    sum += bench::mix(in[i]) % 1000;
    bench::require(out[i] == sum, "prefix sum");
  }
}
