// prove: proved
// classes: 4
// flags: -fopenmp
// options: --threads=2
// A task outside of parallel regions comes before or after a region that is forked meanwhile, not beside it.
// Either thread may get the single: two orders each.
int x;

int main() {
#pragma omp task
  x = 1;
#pragma omp parallel
  {
#pragma omp single
    x = 2;
  }
#pragma omp taskwait
  return x == 0;
}
