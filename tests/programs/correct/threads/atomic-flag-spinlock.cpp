// A spin lock of an atomic_flag, with acquire and release where they belong, guards like a mutex.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

std::atomic_flag busy;
int counter;

static void work() {
  for (int i = 0; i < 20; i++) {
    while (busy.test_and_set(std::memory_order_acquire)) sched_yield();
    counter++;
    busy.clear(std::memory_order_release);
  }
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
  return counter != 40;
}
