// Two named critical constructs inside each other, both ways round.
// expect: deadlock

#include <omp.h>

#include "../../turns.hpp"

int counter;

// Functions of their own, since GCC merges the ends of branches that are alike.
[[gnu::noinline]] void forward() {
  Turn turn(0);
#pragma omp critical(left)
  {
#pragma omp critical(right)  // wants: A
    { ++counter; }
  }
}
[[gnu::noinline]] void backward() {
  Turn turn(1);
#pragma omp critical(right)
  {
#pragma omp critical(left)  // wants: A
    { ++counter; }
  }
}

int main() {
#pragma omp parallel num_threads(2)
  {
    const int self = omp_get_thread_num();
    if (self == 0) forward();
    if (self == 1) backward();
  }
  return 0;
}
