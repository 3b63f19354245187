// Two nest locks in two orders.
// expect: deadlock

#include <omp.h>

#include "../../turns.hpp"

omp_nest_lock_t a, b;

// Functions of their own, since GCC merges the ends of branches that are alike.
[[gnu::noinline]] void forward() {
  Turn turn(0);
  omp_set_nest_lock(&a);
  omp_set_nest_lock(&b);  // wants: A
  omp_unset_nest_lock(&b);
  omp_unset_nest_lock(&a);
}
[[gnu::noinline]] void backward() {
  Turn turn(1);
  omp_set_nest_lock(&b);
  omp_set_nest_lock(&a);  // wants: A
  omp_unset_nest_lock(&a);
  omp_unset_nest_lock(&b);
}

int main() {
  omp_init_nest_lock(&a);
  omp_init_nest_lock(&b);
#pragma omp parallel num_threads(2)
  {
    const int self = omp_get_thread_num();
    if (self == 0) forward();
    if (self == 1) backward();
  }
  return 0;
}
