// Two members of a team: one in a critical construct that wants a lock, one with the lock that wants to enter.
// expect: deadlock
// happens: yes

#include <omp.h>

#include "../../happens.hpp"

omp_lock_t lock;
int counter;

[[gnu::noinline]] void forward() {
#pragma omp critical(left)
  {
    everybody_has_one(2);
    omp_set_lock(&lock);  // wants: A
    ++counter;
    omp_unset_lock(&lock);
  }
}
[[gnu::noinline]] void backward() {
  omp_set_lock(&lock);
  everybody_has_one(2);
#pragma omp critical(left)  // wants: A
  { ++counter; }
  omp_unset_lock(&lock);
}

int main() {
  omp_init_lock(&lock);
  end_when_all_wait(2);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) forward();
    if (omp_get_thread_num() == 1) backward();
  }
  return 0;
}
