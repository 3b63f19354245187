// There is no instruction for these atomic updates: GCC makes loops of them, clang other operations.
// expect: race
// workers: 1 2 8

double sum = 1, difference = 1;
float product = 1;
int quotient = 100;
volatile double sink;

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp atomic  // race: A
      sum += 1;  // race: A
#pragma omp atomic  // race: B
      difference -= 1;  // race: B
#pragma omp atomic  // race: C
      product *= 1.5f;  // race: C
#pragma omp atomic  // race: D
      quotient /= 3;  // race: D
    }
#pragma omp task
    {
      sink = sum;         // race: A
      sink = difference;  // race: B
      sink = product;     // race: C
      sink = quotient;    // race: D
    }
  }
  return 0;
}
