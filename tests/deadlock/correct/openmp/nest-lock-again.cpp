// A nest lock is set again by the one who has it.

#include <omp.h>

omp_nest_lock_t a, b;

int main() {
  omp_init_nest_lock(&a);
  omp_init_nest_lock(&b);
#pragma omp parallel num_threads(2)
  {
    const int self = omp_get_thread_num();
    if (self == 0) {
      omp_set_nest_lock(&a);
      omp_set_nest_lock(&b);
      omp_set_nest_lock(&a);
      omp_unset_nest_lock(&a);
      omp_unset_nest_lock(&b);
      omp_unset_nest_lock(&a);
    }
    if (self == 1) {
      omp_set_nest_lock(&a);
      omp_set_nest_lock(&b);
      omp_set_nest_lock(&a);
      omp_unset_nest_lock(&a);
      omp_unset_nest_lock(&b);
      omp_unset_nest_lock(&a);
    }
  }
  return 0;
}
