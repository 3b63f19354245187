// A member is written, then the whole structure is read: the wider read must not hide the write from the other
// thread's read.
// expect: race

#include <pthread.h>

struct Pair {
  int first, second;
};

Pair shared_pair, copy;

static void* worker(void*) {
  shared_pair.first = 1;  // race: A
  copy = shared_pair;     // race: A
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  int seen = shared_pair.first;  // race: A
  asm volatile("" : : "r"(seen));
  pthread_join(thread, nullptr);
  return 0;
}
