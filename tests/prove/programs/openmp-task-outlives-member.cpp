// prove: proved
// classes: 6
// flags: -fopenmp
// options: --threads=2
// A member of a team may be done while tasks that it created in a single still run: the region ends after them.
int value;

int main() {
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task depend(in : value)
      {
#pragma omp task
        {
          volatile int seen;
#pragma omp critical
          seen = value;
        }
      }
#pragma omp critical
      ++value;
#pragma omp task
      {
#pragma omp critical
        value = 1;
      }
    }
  }
  value = 2;
}
