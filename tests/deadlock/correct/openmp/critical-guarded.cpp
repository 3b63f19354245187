// Two named critical constructs both ways round, inside one that is common.

#include <omp.h>

int counter;

int main() {
#pragma omp parallel num_threads(2)
  {
    const int self = omp_get_thread_num();
    if (self == 0) {
#pragma omp critical(gate)
      {
#pragma omp critical(left)
      {
#pragma omp critical(right)
        { ++counter; }
      }
      }
    }
    if (self == 1) {
#pragma omp critical(gate)
      {
#pragma omp critical(right)
      {
#pragma omp critical(left)
        { ++counter; }
      }
      }
    }
  }
  return 0;
}
