// The tasks of a taskgroup depend on tasks created before it, directly or by others: its end must run those, too.
// expect: clean
// workers: 1 2 8

int values[2][8];

int main() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; ++i) {
    int *first = &values[0][i], *second = &values[1][i];
#pragma omp task depend(out : first[0])
    *first = i;
#pragma omp task depend(in : first[0]) depend(out : second[0])
    *second = *first + 1;
#pragma omp taskgroup
    {
#pragma omp task depend(inout : second[0])
      *second *= 2;
    }
    if (*second != 2 * (i + 1)) __builtin_abort();
  }
  return values[1][7] != 16;
}
