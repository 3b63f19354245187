// prove: proved
// flags: -fopenmp
// assumptions: thread-numbers own-blocks
// options: --threads=2
// Which thread runs a task is open; a task that asks for its number may do something else elsewhere.
#include <omp.h>

int main() {
  int numbers[2] = {};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2; ++i)
#pragma omp task firstprivate(i) shared(numbers)
    numbers[i] = omp_get_thread_num();
  return numbers[0] > 1;
}
