// prove: race
// options: --threads=2
// flags: -fopenmp
// The array lies on the stack of the thread that runs both sections, and is shared.
int main() {
  int sums[4] = {};
#pragma omp parallel sections
  {
#pragma omp section
    sums[0] += 1;
#pragma omp section
    sums[0] += 2;
  }
  return sums[0] < 1;
}
