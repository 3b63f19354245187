// Joining the child says nothing about the thread the child has started and detached.
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

int value;
std::atomic<bool> finished;

static void grandchild() {
  value = 7;  // race: A
  finished.store(true, std::memory_order_relaxed);
}

int main() {
  std::thread child([] { std::thread(grandchild).detach(); });
  child.join();
  value = 8;  // race: A
  while (!finished.load(std::memory_order_relaxed)) sched_yield();
  return 0;
}
