// Several producers and consumers around a bounded ring with a mutex and two condition variables: small messages on the
// heap, passed in batches. Unlike in threads_queue, the allocator and the lock are the work: what one thread frees,
// another allocates next.
#include "../bench.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr long kCapacity = 256;
constexpr long kBatch = 8;
constexpr int kPriorities = 4;

struct Message {
  long number;
  int priority;
  std::uint64_t body;
};

using Batch = std::vector<std::unique_ptr<Message>>;  // of at most kBatch

class Ring {
 public:
  // Leaves the batch empty.
  void push(Batch& batch) {
    std::unique_lock guard(mutex_);
    not_full_.wait(guard, [&] { return used_ + static_cast<long>(batch.size()) <= kCapacity; });
    for (auto& message : batch) slots_[(first_ + used_++) % kCapacity] = std::move(message);
    batch.clear();
    not_empty_.notify_one();
  }
  // Appends what there is, up to kBatch messages; nothing when the ring is closed and empty.
  void pop(Batch& batch) {
    std::unique_lock guard(mutex_);
    not_empty_.wait(guard, [&] { return closed_ || used_ > 0; });
    for (long i = std::min(used_, kBatch); i > 0; --i) {
      batch.push_back(std::move(slots_[first_]));
      first_ = (first_ + 1) % kCapacity;
      --used_;
    }
    not_full_.notify_one();
  }
  void close() {
    std::lock_guard guard(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::vector<std::unique_ptr<Message>> slots_{kCapacity};
  long first_ = 0, used_ = 0;
  bool closed_ = false;
};

void produce(Ring& ring, long first, long last) {
  Batch batch;
  for (long number = first; number < last; ++number) {
    const int priority = static_cast<int>(number % kPriorities);
    batch.push_back(std::make_unique<Message>(Message{number, priority, bench::mix(number)}));
    if (static_cast<long>(batch.size()) == kBatch) ring.push(batch);
  }
  ring.push(batch);
}

struct Received {
  long sum = 0;  // of the numbers of intact messages
  std::array<long, kPriorities> of_priority{};
};

void consume(Ring& ring, Received& received) {
  Batch batch;
  for (;;) {
    ring.pop(batch);
    if (batch.empty()) return;
    for (const auto& message : batch) {
      if (message->body != bench::mix(message->number)) continue;
      received.sum += message->number;
      ++received.of_priority[message->priority];
    }
    batch.clear();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long messages = bench::size_argument(argc, argv, 3'000'000, bench::Polynomial{1});
  const int pairs = std::max(2, bench::thread_count() / 2);
  Ring ring;
  std::vector<Received> received(pairs);
  std::vector<std::thread> producers, consumers;
  for (int i = 0; i < pairs; ++i) {
    producers.emplace_back(produce, std::ref(ring), messages * i / pairs, messages * (i + 1) / pairs);
    consumers.emplace_back(consume, std::ref(ring), std::ref(received[i]));
  }
  for (auto& producer : producers) producer.join();
  ring.close();
  for (auto& consumer : consumers) consumer.join();
  long sum = 0, count = 0;
  for (const Received& part : received) {
    sum += part.sum;
    for (long number : part.of_priority) count += number;
  }
  bench::require(count == messages && sum == messages * (messages - 1) / 2, "every message arrives once");
}
