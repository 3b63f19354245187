// Producers and consumers (std::thread) around a bounded queue with a mutex and two condition variables: each message
// is a buffer that changes its owner without a copy.
#include "../bench.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kCapacity = 64;
constexpr long kWords = 2048;  // per message

struct Message {
  long number;
  std::vector<std::uint64_t> words;
};

class Queue {
 public:
  void push(std::unique_ptr<Message> message) {
    std::unique_lock guard(mutex_);
    not_full_.wait(guard, [&] { return messages_.size() < kCapacity; });
    messages_.push_back(std::move(message));
    not_empty_.notify_one();
  }
  // Null when the queue is closed and empty.
  std::unique_ptr<Message> pop() {
    std::unique_lock guard(mutex_);
    not_empty_.wait(guard, [&] { return closed_ || !messages_.empty(); });
    if (messages_.empty()) return nullptr;
    auto message = std::move(messages_.front());
    messages_.pop_front();
    not_full_.notify_one();
    return message;
  }
  void close() {
    std::lock_guard guard(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<std::unique_ptr<Message>> messages_;
  bool closed_ = false;
};

std::uint64_t word_of(long number, long index) { return bench::mix(number * kWords + index); }

void produce(Queue& queue, long first, long last) {
  for (long number = first; number < last; ++number) {
    auto message = std::make_unique<Message>(Message{number, std::vector<std::uint64_t>(kWords)});
    for (long i = 0; i < kWords; ++i) message->words[i] = word_of(number, i);
    queue.push(std::move(message));
  }
}

// Sums message numbers; a message whose words are wrong counts as nothing.
void consume(Queue& queue, long& sum) {
  while (auto message = queue.pop()) {
    bool intact = true;
    for (long i = 0; i < kWords; ++i) intact &= message->words[i] == word_of(message->number, i);
    if (intact) sum += message->number;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long messages = bench::size_argument(argc, argv, 80'000, bench::Polynomial{1});
  const int pairs = std::max(1, bench::thread_count() / 2);
  Queue queue;
  std::vector<std::thread> producers, consumers;
  std::vector<long> sums(pairs);
  bench::atomic(sums);
  for (int i = 0; i < pairs; ++i) {
    producers.emplace_back(produce, std::ref(queue), messages * i / pairs, messages * (i + 1) / pairs);
    consumers.emplace_back(consume, std::ref(queue), std::ref(sums[i]));
  }
  for (auto& producer : producers) producer.join();
  queue.close();
  for (auto& consumer : consumers) consumer.join();
  long total = 0;
  for (long sum : sums) total += sum;
  bench::require(total == messages * (messages - 1) / 2, "every message arrives once");
}
