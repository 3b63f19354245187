// One thread adds atomically, the other writes the same word plainly: the atomic side does not help.
// expect: race

#include <pthread.h>

int counter;

static void* adder(void* unused) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, adder, 0);
  counter = 10;  // race: A
  pthread_join(thread, 0);
  return counter != 10 && counter != 11;
}
