// prove: proved
// classes: 2
// options: --threads=2
// flags: -fopenmp
// Each thread runs a task that ends before the other's begins, or after: what is known of one must not be taken for
// the other.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

int main() {
#pragma omp parallel
  {
    int order = 0;
#pragma omp task if (0) depend(inout : order)
    {
    }
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
  }
}
