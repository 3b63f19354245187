// A ring for one producer and one consumer: each index is stored with release by one side and loaded with
// acquire by the other.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

int ring[4];
std::atomic<unsigned> head, tail;

static void put(int value) {
  unsigned at = head.load(std::memory_order_relaxed);
  while (at - tail.load(std::memory_order_acquire) == 4) sched_yield();
  ring[at % 4] = value;
  head.store(at + 1, std::memory_order_release);
}

static int take() {
  unsigned at = tail.load(std::memory_order_relaxed);
  while (head.load(std::memory_order_acquire) == at) sched_yield();
  int value = ring[at % 4];
  tail.store(at + 1, std::memory_order_release);
  return value;
}

int main() {
  std::thread producer([] {
    for (int i = 0; i < 20; i++) put(i);
  });
  int sum = 0;
  for (int i = 0; i < 20; i++) sum += take();
  producer.join();
  return sum != 190;
}
