// A thread-local variable is private only while nobody has its address. (The relaxed flag keeps the owner
// alive.)
// expect: race

#include <sched.h>

#include <atomic>
#include <thread>

thread_local int mine;
std::atomic<int*> leaked;
std::atomic<bool> seen;

static void owner() {
  leaked.store(&mine, std::memory_order_release);
  mine = 1;  // race: A
  while (!seen.load(std::memory_order_relaxed)) sched_yield();
}

int main() {
  std::thread thread(owner);
  int* theirs;
  while (!(theirs = leaked.load(std::memory_order_acquire))) sched_yield();
  *theirs = 2;  // race: A
  seen.store(true, std::memory_order_relaxed);
  thread.join();
  return 0;
}
