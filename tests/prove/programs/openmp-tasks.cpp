// prove: proved
// classes: 12
// options: --threads=2
// flags: -fopenmp
// Three tasks, one lock, and only two threads to run them: all orders are possible; and either thread may make them.
int main() {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 3; ++i) {
#pragma omp task shared(sum)
    {
#pragma omp critical
      sum = sum * 2 + i;
    }
  }
  return sum < 0;
}
