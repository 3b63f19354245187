// Sixty-four threads at once: each has its own slot, a lock guards the sum, a barrier holds them together.
// expect: clean

#include <pthread.h>

enum { kThreads = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
long slot[kThreads], sum;

static void* worker(void* id) {
  long self = (long)id;
  slot[self] = self;
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&lock);
  sum += slot[kThreads - 1 - self];
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread[kThreads];
  pthread_barrier_init(&barrier, 0, kThreads);
  for (long i = 0; i < kThreads; i++) pthread_create(&thread[i], 0, worker, (void*)i);
  for (int i = 0; i < kThreads; i++) pthread_join(thread[i], 0);
  pthread_barrier_destroy(&barrier);
  return sum != kThreads * (kThreads - 1) / 2;
}
