// An exchange that would release fails, so it releases nothing: whoever acquires the flag knows of the other thread,
// whose store it reads.
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

int data;
std::atomic<int> flag, tried;

int main() {
  std::thread releases([] { flag.store(1, std::memory_order_release); });
  std::thread fails([] {
    while (flag.load(std::memory_order_relaxed) != 1) sched_yield();
    data = 42;  // race: A
    int expected = 5;
    flag.compare_exchange_strong(expected, 6, std::memory_order_release, std::memory_order_relaxed);
    tried.store(1, std::memory_order_relaxed);
  });
  while (tried.load(std::memory_order_relaxed) != 1) sched_yield();
  (void)flag.load(std::memory_order_acquire);
  int seen = data;  // race: A
  releases.join();
  fails.join();
  return seen != 0 && seen != 42;
}
