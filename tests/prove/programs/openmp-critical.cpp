// prove: proved
// classes: 6
// options: --threads=3
// flags: -fopenmp
// The threads of a team, each in a critical section.
int main() {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp critical
    sum += 1;
  }
  return sum != 3;
}
