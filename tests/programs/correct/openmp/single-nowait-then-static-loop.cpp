// What follows a `single nowait` is no part of it: the two static loops give each thread the same iterations.
// expect: clean
// workers: 1 2 8

int cells[64], first, second;

int main() {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 64; ++i) cells[i] = i;
#pragma omp single nowait
    first = 1;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 64; ++i) cells[i] += i;
#pragma omp single nowait
    {
#pragma omp task
      second = 2;
#pragma omp taskwait
      second = 3;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < 64; ++i) cells[i] += i;
  }
  return cells[1] != 3;
}
