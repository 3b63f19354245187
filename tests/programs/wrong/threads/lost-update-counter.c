// Two threads run one and the same unguarded increment: the race is between two executions of one line.
// expect: race

#include <pthread.h>

int counter;

static void* bump(void* unused) {
  counter++;  // race: A
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, bump, 0);
  pthread_create(&two, 0, bump, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return counter < 1 || counter > 2;
}
