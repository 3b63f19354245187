// prove: proved
// classes: 8
// options: --threads=2
// flags: -fopenmp
// Whether a single construct is over when the next one begins must not decide what the choices at either are about.
int main() {
  int shared = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    (void)*static_cast<volatile int*>(&shared);
#pragma omp single
    (void)*static_cast<volatile int*>(&shared);
#pragma omp single nowait
    shared = 1;
  }
}
