// Recursive tasks with a taskloop at the end of each: the memory of the task that a taskloop was made from becomes
// another task's.

constexpr int kLeaf = 64;
double data[1024], scratch[1024];

static void halve(double* a, double* b, int n) {
  if (n <= kLeaf) {
    for (int i = 0; i < n; ++i) a[i] = a[i] + 1;
    return;
  }
  int half = n / 2;
#pragma omp task
  halve(a, b, half);
#pragma omp task
  halve(a + half, b + half, half);
#pragma omp taskwait
#pragma omp taskloop grainsize(32)
  for (int i = 0; i < n; ++i) b[i] = 2 * a[i];
#pragma omp taskloop num_tasks(2)
  for (int i = 0; i < n; ++i) a[i] = b[i];
}

int main() {
#pragma omp parallel
#pragma omp single
  halve(data, scratch, 1024);
  return data[0] == 16 && data[1023] == 16 ? 0 : 1;
}
