// prove: race
// options: --threads=2
// flags: -fopenmp
// What an undeferred task releases its parent does not hold any more.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

int main() {
#pragma omp parallel
  {
    pthread_mutex_lock(&mutex);
#pragma omp task if (0)
    pthread_mutex_unlock(&mutex);
    x++;
  }
}
