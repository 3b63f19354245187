// SIZE messages through a queue of two threads, each a block of the heap: a mutex, a condition variable, an atomic.
#include "../bench.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
  const long messages = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::unique_ptr<long>> queue;
  std::atomic<long> sent{0};
  long sum = 0;
  std::thread consumer([&] {
    for (long i = 0; i < messages; ++i) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return !queue.empty(); });
      sum += *queue.front();
      queue.pop_front();
    }
  });
  for (long i = 0; i < messages; ++i) {
    auto message = std::make_unique<long>(1);
    sent.fetch_add(1);
    const std::lock_guard guard(mutex);
    queue.push_back(std::move(message));
    changed.notify_one();
  }
  consumer.join();
  bench::require(sum == messages && sent == messages, "every message arrived");
}
