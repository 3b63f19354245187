// An enqueued function tells that it is through, but in a way that orders nothing.
// expect: race
// workers: 1 2 8

#include <tbb/task_arena.h>

#include <atomic>
#include <thread>

#include "../../workers.hpp"

int value;
std::atomic<bool> through;

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  tbb::task_arena arena(2);
  arena.enqueue([] {
    value = 1;  // race: A
    through.store(true, std::memory_order_relaxed);
  });
  while (!through.load(std::memory_order_relaxed)) std::this_thread::yield();
  use(value);  // race: A
  return 0;
}

int main() { return on_workers(run); }
