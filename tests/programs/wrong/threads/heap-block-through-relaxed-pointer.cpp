// The pointer itself is atomic, but stored and loaded relaxed: the block behind it comes without order.
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

std::atomic<int*> mailbox;

static void post() {
  int* block = new int[4]();  // race: A
  block[2] = 42;              // race: A
  mailbox.store(block, std::memory_order_relaxed);
}

int main() {
  std::thread thread(post);
  int* block;
  while (!(block = mailbox.load(std::memory_order_relaxed))) sched_yield();
  int seen = block[2];  // race: A
  thread.join();
  delete[] block;
  return seen != 0 && seen != 42;
}
