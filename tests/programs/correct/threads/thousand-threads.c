// A thousand threads at once, each of which waits for all others before it counts.
// expect: clean

#include <pthread.h>

enum { kThreads = 1000 };
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* body(void* unused) {
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  static pthread_t threads[kThreads];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 * 1024);
  pthread_barrier_init(&barrier, 0, kThreads);
  for (int i = 0; i < kThreads; i++)
    if (pthread_create(&threads[i], &small, body, 0) != 0) return 1;
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], 0);
  return count == kThreads ? 0 : 2;
}
