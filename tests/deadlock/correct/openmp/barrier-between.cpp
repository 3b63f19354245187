// A barrier lies between the two orders.

#include <omp.h>

omp_lock_t a, b;

int main() {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&a);
      omp_set_lock(&b);
      omp_unset_lock(&b);
      omp_unset_lock(&a);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
      omp_set_lock(&b);
      omp_set_lock(&a);
      omp_unset_lock(&a);
      omp_unset_lock(&b);
    }
  }
  return 0;
}
