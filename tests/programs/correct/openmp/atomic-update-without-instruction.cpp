// Atomic updates for which there is no instruction release and acquire like others.
// expect: clean
// workers: 2 8

#include <omp.h>

double count;
int data;

int main() {
  int result = 1;
#pragma omp parallel num_threads(2)
  if (omp_get_num_threads() < 2) {
    result = 0;
  } else if (omp_get_thread_num() == 0) {
    data = 4;
#pragma omp atomic update release
    count += 1;
  } else {
    double seen = 0;
    while (seen == 0) {
#pragma omp atomic read acquire
      seen = count;
    }
    result = data != 4;
  }
  return result;
}
