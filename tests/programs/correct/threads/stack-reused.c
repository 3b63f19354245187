// Detached threads end and later ones get their stacks; a relaxed count is all that connects them.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { kThreads = 20 };
atomic_int finished;

static void fill(volatile int* local, int value) {
  for (int i = 0; i < 64; i++) local[i] = value;
}

static void* worker(void* value) {
  volatile int local[64];
  fill(local, (int)(long)value);
  atomic_fetch_add_explicit(&finished, local[63] == (int)(long)value, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_attr_t detached;
  pthread_t thread;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (long i = 0; i < kThreads; i++) {
    if (pthread_create(&thread, &detached, worker, (void*)i) != 0) return 1;
    while (atomic_load_explicit(&finished, memory_order_relaxed) <= i) sched_yield();
  }
  return 0;
}
