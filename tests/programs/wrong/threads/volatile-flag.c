// volatile keeps the compiler from caching the flag; it neither makes it atomic nor orders the data.
// expect: race

#include <pthread.h>
#include <sched.h>

long data;
volatile int ready;

static void* sender(void* unused) {
  data = 42;  // race: A
  ready = 1;  // race: B
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  for (int i = 0; i < 1000; i++) {
    if (ready) break;  // race: B
    sched_yield();
  }
  long seen = data;  // race: A
  pthread_join(thread, 0);
  return seen != 0 && seen != 42;
}
