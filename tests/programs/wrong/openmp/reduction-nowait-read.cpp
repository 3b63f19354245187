// Without a barrier the result of a reduction may be read while another thread adds its part.
// expect: race
// workers: 2 8

int main() {
  double sum = 0;
  volatile double sink = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) nowait  // race: A
    for (int i = 0; i < 64; ++i) sum += i;
#pragma omp single nowait
    sink = sum;  // race: A
  }
  return 0;
}
