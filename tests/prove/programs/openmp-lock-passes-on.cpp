// prove: proved
// classes: 2
// options: --threads=2
// flags: -fopenmp
// An undeferred task acquires what its parent releases, and the other way round.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

int main() {
#pragma omp parallel
  {
#pragma omp task if (0)
    pthread_mutex_lock(&mutex);
    x++;
#pragma omp task if (0)
    {
      x++;
      pthread_mutex_unlock(&mutex);
    }
  }
}
