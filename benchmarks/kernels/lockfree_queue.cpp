// A bounded queue of many producers and consumers without locks: a slot's turn says who may use it next, the writer or
// the reader of which round. Places are claimed relaxed; only release and acquire of the turn order the message.
#include "../bench.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t kCapacity = 1024;

struct Message {
  long number;
  std::uint64_t first, second;
};

class Queue {
 public:
  Queue() {
    for (std::uint64_t i = 0; i < kCapacity; ++i) slots_[i].turn.store(i, std::memory_order_relaxed);
  }
  // False if the queue is full.
  bool push(const Message& message) {
    const std::optional<std::uint64_t> place = claim(tail_, 0);
    if (!place) return false;
    Slot& slot = slots_[*place % kCapacity];
    slot.message = message;
    slot.turn.store(*place + 1, std::memory_order_release);
    return true;
  }
  std::optional<Message> pop() {
    const std::optional<std::uint64_t> place = claim(head_, 1);
    if (!place) return std::nullopt;
    Slot& slot = slots_[*place % kCapacity];
    const Message message = slot.message;
    slot.turn.store(*place + kCapacity, std::memory_order_release);
    return message;
  }

 private:
  struct Slot {
    std::atomic<std::uint64_t> turn;  // place: may be written; place + 1: may be read
    Message message;
  };

  // The next place whose slot has the turn place + offset; none if that slot is not so far yet.
  std::optional<std::uint64_t> claim(std::atomic<std::uint64_t>& next, std::uint64_t offset) {
    std::uint64_t place = next.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t turn = slots_[place % kCapacity].turn.load(std::memory_order_acquire);
      if (turn < place + offset) return std::nullopt;
      if (turn > place + offset)
        place = next.load(std::memory_order_relaxed);  // another has claimed it
      else if (next.compare_exchange_weak(place, place + 1, std::memory_order_relaxed))
        return place;
    }
  }

  std::vector<Slot> slots_{kCapacity};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
  alignas(64) std::atomic<std::uint64_t> head_{0};
};

void produce(Queue& queue, long first, long last) {
  for (long number = first; number < last; ++number) {
    const Message message{number, bench::mix(number), bench::mix(~number)};
    while (!queue.push(message)) std::this_thread::yield();
  }
}

// Sums message numbers; a message that is not intact counts as nothing.
void consume(Queue& queue, long messages, long& result) {
  long sum = 0;
  while (messages > 0) {
    const std::optional<Message> message = queue.pop();
    if (!message) {
      std::this_thread::yield();
      continue;
    }
    --messages;
    const long number = message->number;
    if (message->first == bench::mix(number) && message->second == bench::mix(~number)) sum += number;
  }
  result = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long messages = bench::size_argument(argc, argv, 8'000'000, bench::Polynomial{1});
  const int pairs = std::max(1, bench::thread_count() / 2);
  Queue queue;
  std::vector<long> sums(pairs);
  std::vector<std::thread> threads;
  for (int i = 0; i < pairs; ++i) {
    const long first = messages * i / pairs, last = messages * (i + 1) / pairs;
    threads.emplace_back(produce, std::ref(queue), first, last);
    threads.emplace_back(consume, std::ref(queue), last - first, std::ref(sums[i]));
  }
  for (auto& thread : threads) thread.join();
  long total = 0;
  for (long sum : sums) total += sum;
  bench::require(total == messages * (messages - 1) / 2, "every message arrives once");
}
