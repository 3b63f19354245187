// prove: crash
// flags: -fopenmp
// Two tasks that exclude each other come in either order.
#include <cstdlib>

int main() {
  int order = 0, value = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : order) shared(value)
    value = 2 * value + 1;
#pragma omp task depend(mutexinoutset : order) shared(value)
    value = 2 * value + 2;
  }
  if (value == 5) abort();
}
