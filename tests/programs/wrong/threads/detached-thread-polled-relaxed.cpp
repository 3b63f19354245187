// A detached thread tells that it is done by a relaxed flag: main sees the flag, but nothing orders the data.
// expect: race

#include <pthread.h>
#include <sched.h>

#include <atomic>

int data;
std::atomic<bool> done;

static void* worker(void*) {
  data = 42;  // race: A
  done.store(true, std::memory_order_relaxed);
  return nullptr;
}

int main() {
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  pthread_create(&thread, &detached, worker, nullptr);
  while (!done.load(std::memory_order_relaxed)) sched_yield();
  int seen = data;  // race: A
  return seen != 0 && seen != 42;
}
