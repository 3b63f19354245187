// A relaxed exchange takes the released flag, and a fence acquires what it read.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread sender([] {
    data = 42;
    flag.store(1, std::memory_order_release);
  });
  int expected = 1;
  while (!flag.compare_exchange_strong(expected, 2, std::memory_order_relaxed)) {
    expected = 1;
    sched_yield();
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  int seen = data;
  sender.join();
  return seen != 42;
}
