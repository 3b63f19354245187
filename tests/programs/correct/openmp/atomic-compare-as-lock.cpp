// A lock made of `atomic compare capture`. (clang has it from OpenMP 5.1 on.)
// expect: clean
// workers: 2 8
// compilers: gcc

int taken, total;

int main() {
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 10; ++i) {
    for (;;) {
      int before;
#pragma omp atomic compare capture seq_cst
      {
        before = taken;
        if (taken == 0) { taken = 1; }
      }
      if (before == 0) break;
    }
    ++total;
#pragma omp atomic write release
    taken = 0;
  }
  return total % 10 != 0;
}
