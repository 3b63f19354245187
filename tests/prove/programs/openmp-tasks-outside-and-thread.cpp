// prove: race
// flags: -fopenmp
// A thread of the program's own runs beside the task, if the initial thread may turn to that meanwhile.
#include <thread>

int x;

int main() {
#pragma omp task
  x = 1;
  std::thread other([] { x = 2; });
#ifndef NO_YIELD
#pragma omp taskyield
#endif
  other.join();
#pragma omp taskwait
}
