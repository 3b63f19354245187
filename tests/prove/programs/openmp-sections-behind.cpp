// prove: proved
// classes: 8
// options: --threads=2
// flags: -fopenmp
// Who passes the barrier of sections has waited for whoever was there for nothing, too: not only for the sections.
#include <cassert>

int main() {
  int first = 0, second = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      first = 1;
#pragma omp section
      second = 1;
    }
    assert(first + second == 2);
  }
}
