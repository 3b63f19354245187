// A home-made spin lock whose unlock is relaxed: it excludes, but does not hand over what was written inside.
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

std::atomic_flag busy;
int counter;

static void work() {
  while (busy.test_and_set(std::memory_order_acquire)) sched_yield();
  counter++;  // race: A
  busy.clear(std::memory_order_relaxed);
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return counter != 1 && counter != 2;
}
