// An undeferred task takes the lock that its parent goes on to use and releases.
// expect: clean
// history: none
// workers: 1 2 8

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;

int main() {
#pragma omp parallel
  {
#pragma omp task if (0)
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return counter > 0 ? 0 : 1;
}
