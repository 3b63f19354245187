// A relaxed exchange takes the released flag, but does not acquire it: a fence would have to follow.
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
  int expected = 1;
  while (!flag.compare_exchange_strong(expected, 2, std::memory_order_relaxed)) {
    expected = 1;
    sched_yield();
  }
  (void)flag.fetch_add(1, std::memory_order_relaxed);
  int seen = data;  // race: A
  sender.join();
  return seen != 0 && seen != 42;
}
