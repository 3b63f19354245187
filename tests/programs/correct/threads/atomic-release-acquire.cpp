// Message passing: a release store read by an acquire load hands the plain data over.
// expect: clean

#include <sched.h>

#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread sender([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_acquire)) sched_yield();
  data++;
  int seen = data;
  sender.join();
  return seen != 43;
}
