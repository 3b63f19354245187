// The old __sync builtins are atomic; the plain read beside them is not, and nothing orders it.
// expect: race

#include <pthread.h>

long tickets;

static void* taker(void* unused) {
  __sync_fetch_and_add(&tickets, 1);  // race: A
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, taker, 0);
  long seen = tickets;  // race: A
  pthread_join(thread, 0);
  return seen != 0 && seen != 1;
}
