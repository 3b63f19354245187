// Read-modify-writes that only acquire, and learn nothing new, continue the release sequence of what they read. Then
// several threads release by read-modify-writes: each look that finds one more acquires all of them.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

int data, parts[3];
std::atomic<int> flag, count;

static void wait_for(const std::atomic<int>& what, int value) {
  while (what.load(std::memory_order_acquire) < value) sched_yield();
}

int main() {
  std::thread sender([] {
    data = 42;
    flag.store(1, std::memory_order_release);
  });
  std::thread relay([] {
    wait_for(flag, 1);
    int expected = 1;
    flag.compare_exchange_strong(expected, 2, std::memory_order_acquire);
    flag.fetch_add(1, std::memory_order_acquire);
  });
  while (flag.load(std::memory_order_relaxed) != 3) sched_yield();
  (void)flag.load(std::memory_order_acquire);
  int sum = data;
  sender.join();
  relay.join();

  std::thread threads[3];
  for (int i = 0; i < 3; ++i) {
    threads[i] = std::thread([i] {
      while (count.load(std::memory_order_relaxed) < i) sched_yield();
      parts[i] = 1;
      count.fetch_add(1, std::memory_order_release);
    });
  }
  for (int i = 0; i < 3; ++i) {
    wait_for(count, i + 1);
    sum += parts[i];
    wait_for(count, i + 1);  // nothing new, most often
  }
  for (std::thread& thread : threads) thread.join();
  return sum != 45;
}
