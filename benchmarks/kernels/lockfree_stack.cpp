// Treiber's stack without memory reclamation: nodes are numbers into a pool, and the head has a tag beside the number,
// which every change increases, so that a head that was away and came back is not mistaken for itself. Nodes go
// back and forth between a stack of free and one of filled ones; compare-and-swap is all that orders their contents.
#include "../bench.h"

#include <array>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kNone = 0;
constexpr std::uint32_t kNodes = 1024;
constexpr int kWords = 4;  // per node

struct Node {
  std::atomic<std::uint32_t> next{kNone};     // a pop may read it while the node already is another thread's
  std::array<std::uint64_t, kWords> words{};  // of whoever has popped it
};

using Pool = std::array<Node, kNodes + 1>;  // node 0 is none

class Stack {
 public:
  explicit Stack(Pool& pool) : pool_(pool) {}

  void push(std::uint32_t number) {
    std::uint64_t head = head_.load(std::memory_order_relaxed);
    do pool_[number].next.store(number_of(head), std::memory_order_relaxed);
    while (!head_.compare_exchange_weak(head, changed(head, number), std::memory_order_release,
                                        std::memory_order_relaxed));
  }
  // kNone if there is none. All changes of the head are read-modify-writes, so the acquire sees every push before it.
  std::uint32_t pop() {
    std::uint64_t head = head_.load(std::memory_order_acquire);
    while (number_of(head) != kNone) {
      const std::uint32_t next = pool_[number_of(head)].next.load(std::memory_order_relaxed);
      if (head_.compare_exchange_weak(head, changed(head, next), std::memory_order_acquire)) break;
    }
    return number_of(head);
  }

 private:
  static std::uint32_t number_of(std::uint64_t head) { return static_cast<std::uint32_t>(head); }
  static std::uint64_t changed(std::uint64_t head, std::uint32_t number) {
    return ((head >> 32) + 1) << 32 | number;
  }
  Pool& pool_;
  alignas(64) std::atomic<std::uint64_t> head_{kNone};
};

struct alignas(64) Totals {
  std::uint64_t in = 0, out = 0;
  bool intact = true;
};

void fill(Node& node, std::uint64_t value) {
  for (int i = 0; i < kWords; ++i) node.words[i] = value + i;
}

void empty(const Node& node, Totals& totals) {
  for (int i = 1; i < kWords; ++i) totals.intact &= node.words[i] == node.words[0] + i;
  totals.out += node.words[0];
}

void work(Pool& pool, Stack& free, Stack& filled, int seed, long operations, Totals& totals) {
  bench::Random random(seed);
  for (long i = 0; i < operations; ++i) {
    const std::uint64_t value = random.next();
    const bool fills = value % 2;
    const std::uint32_t number = fills ? free.pop() : filled.pop();
    if (number == kNone) continue;
    if (fills) {
      fill(pool[number], value);
      totals.in += value;
      filled.push(number);
    } else {
      empty(pool[number], totals);
      free.push(number);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long operations = bench::size_argument(argc, argv, 10'000'000, bench::Polynomial{1});
  const int workers = bench::thread_count();
  Pool pool;
  Stack free(pool), filled(pool);
  for (std::uint32_t number = 1; number <= kNodes; ++number) free.push(number);
  std::vector<Totals> totals(workers);
  std::vector<std::thread> threads;
  for (int i = 0; i < workers; ++i)
    threads.emplace_back(work, std::ref(pool), std::ref(free), std::ref(filled), i, operations / workers,
                         std::ref(totals[i]));
  for (auto& thread : threads) thread.join();

  Totals total;
  std::uint32_t nodes = 0;
  while (const std::uint32_t number = filled.pop()) {
    empty(pool[number], total);
    ++nodes;
  }
  while (free.pop() != kNone) ++nodes;
  for (const Totals& part : totals) {
    total.in += part.in;
    total.out += part.out;
    total.intact &= part.intact;
  }
  bench::require(nodes == kNodes, "every node is on one of the stacks");
  bench::require(total.in == total.out && total.intact, "what was put in came out");
}
