// Two tasks in two orders: found though one thread runs both.
// expect: deadlock

#include <omp.h>

omp_lock_t a, b;

int main() {
  omp_init_lock(&a);
  omp_init_lock(&b);
  int order = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task shared(order)
    {
      omp_set_lock(&a);
      omp_set_lock(&b);  // wants: A
      omp_unset_lock(&b);
      omp_unset_lock(&a);
    }
#pragma omp task shared(order)
    {
      omp_set_lock(&b);
      omp_set_lock(&a);  // wants: A
      omp_unset_lock(&a);
      omp_unset_lock(&b);
    }
  }
  return order;
}
