// A release fence and a relaxed store on one side, a relaxed load without an acquire fence on the other.
// expect: race

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"  // GCC warns that its own tool ignores fences
#endif

int data;
atomic_int ready;

static void* sender(void* unused) {
  data = 42;  // race: A
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) sched_yield();
  int seen = data;  // race: A
  pthread_join(thread, 0);
  return seen != 0 && seen != 42;
}
