// A relaxed read-modify-write of another thread continues the release sequence: the acquirer of its value is
// ordered after the first thread.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

static void sender() {
  data = 42;
  flag.store(1, std::memory_order_release);
}

static void relay() {
  int expected = 1;
  while (!flag.compare_exchange_weak(expected, 2, std::memory_order_relaxed)) {
    expected = 1;
    sched_yield();
  }
}

int main() {
  std::thread one(sender), two(relay);
  while (flag.load(std::memory_order_acquire) != 2) sched_yield();
  int seen = data;
  one.join();
  two.join();
  return seen != 42;
}
