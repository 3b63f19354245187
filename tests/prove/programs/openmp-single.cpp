// prove: crash
// flags: -fopenmp
// options: --threads=2
// Either thread may get the single construct.
#include <omp.h>

#include <cassert>

int main() {
#pragma omp parallel
#pragma omp single
  assert(omp_get_thread_num() == 0);
}
