// A release fence before a relaxed store, an acquire fence after the relaxed load that reads it: ordered.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"  // GCC warns that its own tool ignores fences
#endif

int data;
atomic_int ready;

static void* sender(void* unused) {
  data = 42;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) sched_yield();
  atomic_thread_fence(memory_order_acquire);
  int seen = data;
  pthread_join(thread, 0);
  return seen != 42;
}
