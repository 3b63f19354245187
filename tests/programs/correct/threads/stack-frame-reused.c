// The parent's frame slot held a variable lent to a child; after the join the slot serves the next call.
// expect: clean

#include <pthread.h>

static void* increment(void* local) {
  ++*(int*)local;
  return 0;
}

__attribute__((noinline)) static int lend(int value) {
  pthread_t thread;
  int local = value;
  pthread_create(&thread, 0, increment, &local);
  pthread_join(thread, 0);
  return local;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += lend(i);
  return sum != 15;
}
