// prove: crash
// flags: -fopenmp
// options: --threads=2
// The second thread may get all chunks of a dynamic loop.
#include <omp.h>

#include <cassert>

int main() {
  int by_second = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : by_second)
  for (int i = 0; i < 3; ++i) by_second += omp_get_thread_num() == 1;
  assert(by_second != 3);
}
