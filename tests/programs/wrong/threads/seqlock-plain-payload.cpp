// A sequence counter around plain data: the reader was there before the writer, yet nothing it does is a
// release, so its read and the later write are unordered. (The relaxed flag makes the reader come first.)
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<bool> reader_done;
int payload;

static void writer() {
  while (!reader_done.load(std::memory_order_relaxed)) sched_yield();
  sequence.store(1, std::memory_order_release);
  payload = 5;  // race: A
  sequence.store(2, std::memory_order_release);
}

int main() {
  std::thread thread(writer);
  unsigned before = sequence.load(std::memory_order_acquire);
  int seen = payload;  // race: A
  unsigned after = sequence.load(std::memory_order_acquire);
  reader_done.store(true, std::memory_order_relaxed);
  thread.join();
  return before == after && seen != 0;
}
