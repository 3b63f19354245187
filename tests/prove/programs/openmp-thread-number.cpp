// prove: proved
// assumptions: thread-numbers
// classes: 2
// options: --threads=2
// flags: -fopenmp
// Each task counts into the slot of its thread.
#include <omp.h>

int slots[64];

int main() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; ++i) {
#pragma omp task
    slots[omp_get_thread_num()] += 1;
  }
}
