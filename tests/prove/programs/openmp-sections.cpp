// prove: crash
// flags: -fopenmp
// options: --threads=2
// Either thread may get the second section: the one that had the first one, too.
#include <omp.h>

#include <cassert>

int main() {
  int by[2] = {};
#pragma omp parallel sections
  {
#pragma omp section
    by[0] = omp_get_thread_num();
#pragma omp section
    by[1] = omp_get_thread_num();
  }
  assert(by[0] != 1 || by[1] != 1);
}
