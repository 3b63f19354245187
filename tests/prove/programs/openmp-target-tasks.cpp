// prove: proved
// classes: 12
// flags: -fopenmp
// options: --threads=2
// A target region has one thread, wherever it is met, and has run its tasks when it ends.
// Either thread may get the single: six orders each.
int x;

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp target map(tofrom : x)
    {
#pragma omp task shared(x)
      x = 2 * x + 1;
#pragma omp task shared(x)
      x = 3 * x + 2;
      x += 1;
    }
    x += 1;
  }
  return x < 0;
}
