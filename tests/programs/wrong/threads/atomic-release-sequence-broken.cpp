// A third thread overwrites the released flag by a relaxed store of its own: whoever acquires that value does
// not synchronise with the first thread (a read-modify-write would have continued the release sequence).
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

static void sender() {
  data = 42;  // race: A
  flag.store(1, std::memory_order_release);
}

static void relay() {
  while (flag.load(std::memory_order_relaxed) != 1) sched_yield();
  flag.store(2, std::memory_order_relaxed);
}

int main() {
  std::thread one(sender), two(relay);
  while (flag.load(std::memory_order_relaxed) != 2) sched_yield();
  (void)flag.load(std::memory_order_acquire);
  int seen = data;  // race: A
  one.join();
  two.join();
  return seen != 0 && seen != 42;
}
