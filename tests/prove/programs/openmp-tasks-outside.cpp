// prove: proved
// classes: 6
// flags: -fopenmp
// Outside of parallel regions one thread runs the tasks: in any order, but never two of them, or one and the initial
// task, at once.
int x;

int main() {
#pragma omp task
  x = 2 * x + 1;
#pragma omp task
  x = 3 * x + 2;
  x += 1;
#pragma omp taskwait
  return x < 0;
}
