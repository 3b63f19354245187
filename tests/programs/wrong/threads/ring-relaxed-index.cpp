// A single-producer ring whose indices are atomic but relaxed: the slots are handed over without order.
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

int ring[4];
std::atomic<unsigned> head, tail;

static void put(int value) {
  unsigned at = head.load(std::memory_order_relaxed);
  while (at - tail.load(std::memory_order_relaxed) == 4) sched_yield();
  ring[at % 4] = value;  // race: A
  head.store(at + 1, std::memory_order_relaxed);
}

static int take() {
  unsigned at = tail.load(std::memory_order_relaxed);
  while (head.load(std::memory_order_relaxed) == at) sched_yield();
  int value = ring[at % 4];  // race: A
  tail.store(at + 1, std::memory_order_relaxed);
  return value;
}

int main() {
  std::thread producer([] {
    for (int i = 0; i < 10; i++) put(i);
  });
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += take();
  producer.join();
  return sum < 0;
}
