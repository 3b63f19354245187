// A block freed by one thread is given to another by malloc. Nothing else orders the two threads (the flag is
// relaxed), yet there is no race: these are two objects.
// expect: clean

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

atomic_int freed;
size_t length = 2000;

static void* consume(void* block) {
  memset(block, 1, length);
  ((char*)block)[100] = 2;
  free(block);
  atomic_store_explicit(&freed, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t thread;
  char* first = malloc(length);
  if (!first) return 1;
  pthread_create(&thread, 0, consume, first);
  while (!atomic_load_explicit(&freed, memory_order_relaxed)) sched_yield();
  char* second = malloc(length);
  if (!second) return 1;
  memset(second, 3, length);
  second[100] = 4;
  int sum = second[100] + second[99];
  pthread_join(thread, 0);
  free(second);
  return sum != 7;
}
