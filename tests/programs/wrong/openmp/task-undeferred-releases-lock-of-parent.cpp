// An undeferred task releases the lock that its parent took: what the parent does next is not protected any more.
// expect: race
// history: none
// workers: 2 8

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;

int main() {
#pragma omp parallel
  {
    pthread_mutex_lock(&mutex);
#pragma omp task if (0)
    pthread_mutex_unlock(&mutex);
    ++counter;  // race: A
  }
  return counter > 0 ? 0 : 1;
}
