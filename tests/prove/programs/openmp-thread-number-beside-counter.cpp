// prove: race
// options: --threads=2
// flags: -fopenmp
// The slot is the thread's, and the counter beside it is not.
#include <omp.h>

int slots[64], counter;

int main() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; ++i) {
#pragma omp task
    {
      slots[omp_get_thread_num()] = 1;
      counter += 1;
    }
  }
}
