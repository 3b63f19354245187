// An exchange that would acquire fails, and the order of its failure is relaxed: it acquires nothing.
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread sender([] {
    data = 42;  // race: A
    flag.store(1, std::memory_order_release);
  });
  int expected = 7;
  for (;;) {
    flag.compare_exchange_strong(expected, 8, std::memory_order_acquire, std::memory_order_relaxed);
    if (expected == 1) break;
    expected = 7;
    sched_yield();
  }
  int seen = data;  // race: A
  sender.join();
  return seen != 0 && seen != 42;
}
