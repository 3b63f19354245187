// A sixteen-byte compare-and-swap publishes a pointer together with a version.
// expect: clean
// flags: -mcx16

#include <pthread.h>
#include <sched.h>

typedef unsigned __int128 pair;
pair cell;
int data;

static void* sender(void* unused) {
  data = 42;
  pair fresh = ((pair)1 << 64) | (unsigned long)&data;
  __sync_val_compare_and_swap(&cell, (pair)0, fresh);
  return unused;
}

int main(void) {
  pthread_t thread;
  pair seen;
  pthread_create(&thread, 0, sender, 0);
  while ((seen = __sync_val_compare_and_swap(&cell, (pair)0, (pair)0)) == 0) sched_yield();
  int* from = (int*)(unsigned long)seen;
  ++*from;
  int version = (int)(seen >> 64);
  pthread_join(thread, 0);
  return data != 43 || version != 1;
}
