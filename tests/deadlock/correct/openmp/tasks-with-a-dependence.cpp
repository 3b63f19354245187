// Two tasks in two orders, of which the second one depends on the first.

#include <omp.h>

omp_lock_t a, b;

int main() {
  omp_init_lock(&a);
  omp_init_lock(&b);
  int order = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task shared(order) depend(out : order)
    {
      omp_set_lock(&a);
      omp_set_lock(&b);
      omp_unset_lock(&b);
      omp_unset_lock(&a);
    }
#pragma omp task shared(order) depend(in : order)
    {
      omp_set_lock(&b);
      omp_set_lock(&a);
      omp_unset_lock(&a);
      omp_unset_lock(&b);
    }
  }
  return order;
}
