// The writer releases, but the reader's load is relaxed and no fence follows: half a handshake.
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

static void sender() {
  data = 42;  // race: A
  ready.store(true, std::memory_order_release);
}

int main() {
  std::thread thread(sender);
  while (!ready.load(std::memory_order_relaxed)) sched_yield();
  int seen = data;  // race: A
  thread.join();
  return seen != 0 && seen != 42;
}
