// prove: race
// flags: -fopenmp
// Without a barrier the result of the reduction may be read before each thread has added its part.
int main() {
  double sum = 0;
  volatile double sink = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < 4; ++i) sum += i;
#pragma omp single nowait
    sink = sum;
  }
  return 0;
}
