// prove: proved
// classes: 1
// options: --threads=3
// flags: -fopenmp
// Who leaves a barrier first makes no difference.
#include <cassert>

int main() {
  int shared = 0;
#pragma omp parallel
  {
#pragma omp masked
    shared = 1;
#pragma omp barrier
    assert(shared == 1);
  }
}
