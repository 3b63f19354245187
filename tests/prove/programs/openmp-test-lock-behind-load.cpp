// prove: crash
// flags: -fopenmp
// The check fails only if the store and the failed try come between the load and the release of the lock.
#include <omp.h>

#include <cstdlib>

int main() {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int flag = 0;
  bool early = false, failed = false;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      omp_set_lock(&lock);
      int seen;
#pragma omp atomic read seq_cst
      seen = flag;
      omp_unset_lock(&lock);
      early = seen == 0;
    }
#pragma omp section
    {
#pragma omp atomic write seq_cst
      flag = 1;
      failed = !omp_test_lock(&lock);
      if (!failed) omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  if (early && failed) abort();
}
