// A taskyield is no taskwait; and a replay comes to it later than the exploration did.
// prove: race
// flags: -fopenmp
// options: --threads=2

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    x = 1;
#pragma omp taskyield
    use(x);
  }
}
