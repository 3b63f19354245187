// One barrier separates writing from reading, but none separates the reading from the next writing.
// expect: race

#include <pthread.h>

static pthread_barrier_t barrier;
int slot[2];
int seen[2];

static void* worker(void* id) {
  long self = (long)id;
  slot[self] = 1;
  pthread_barrier_wait(&barrier);
  seen[self] = slot[1 - self];  // race: A
  slot[self] = 2;               // race: A
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&one, 0, worker, (void*)0);
  pthread_create(&two, 0, worker, (void*)1);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_barrier_destroy(&barrier);
  return seen[0] == 0 || seen[1] == 0;
}
