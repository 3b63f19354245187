// Mixed pairs: a release fence read by an acquire load, and a release store read before an acquire fence.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"  // GCC warns that its own tool ignores fences
#endif

int there, back;
atomic_int sent, answered;

static void* partner(void* unused) {
  while (!atomic_load_explicit(&sent, memory_order_acquire)) sched_yield();
  back = there + 1;
  atomic_store_explicit(&answered, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, partner, 0);
  there = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&sent, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&answered, memory_order_relaxed)) sched_yield();
  atomic_thread_fence(memory_order_acquire);
  int seen = back;
  pthread_join(thread, 0);
  return seen != 2;
}
