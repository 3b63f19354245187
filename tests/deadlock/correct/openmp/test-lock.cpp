// The second order only tests.

#include <omp.h>

#include "../../turns.hpp"

omp_lock_t a, b;

int main() {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    const int self = omp_get_thread_num();
    if (self == 0) {
      Turn turn(0);
      omp_set_lock(&a);
      omp_set_lock(&b);
      omp_unset_lock(&b);
      omp_unset_lock(&a);
    }
    if (self == 1) {
      Turn turn(1);
      omp_set_lock(&b);
      if (omp_test_lock(&a)) omp_unset_lock(&a);
      omp_unset_lock(&b);
    }
  }
  return 0;
}
