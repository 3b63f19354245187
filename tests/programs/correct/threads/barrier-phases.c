// Write own slot, barrier, read the neighbour's, barrier, write again: the barrier separates the phases.
// expect: clean

#include <pthread.h>

enum { kThreads = 3, kRounds = 5 };
static pthread_barrier_t barrier;
int slot[kThreads];

static void* worker(void* id) {
  long self = (long)id, wrong = 0;
  for (int round = 0; round < kRounds; round++) {
    slot[self] = round;
    pthread_barrier_wait(&barrier);
    wrong += slot[(self + 1) % kThreads] != round;
    pthread_barrier_wait(&barrier);
  }
  return (void*)wrong;
}

int main(void) {
  pthread_t thread[kThreads];
  long wrong = 0;
  pthread_barrier_init(&barrier, 0, kThreads);
  for (long i = 0; i < kThreads; i++) pthread_create(&thread[i], 0, worker, (void*)i);
  for (int i = 0; i < kThreads; i++) {
    void* result;
    pthread_join(thread[i], &result);
    wrong += (long)result;
  }
  pthread_barrier_destroy(&barrier);
  return wrong != 0;
}
