// prove: proved
// options: --threads=2
// flags: -fopenmp
// A task that depends on others can start behind the step that makes it, not only behind the sleep that comes next.
#include <unistd.h>

int main() {
  int shared = 1;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task depend(in : shared)
      (void)*static_cast<volatile int*>(&shared);
      usleep(20);
#pragma omp task
      (void)*static_cast<volatile int*>(&shared);
    }
  }
}
