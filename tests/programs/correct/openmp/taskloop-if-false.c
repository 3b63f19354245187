// The tasks of a taskloop with if(0) are undeferred: each ends before the next begins.

int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop if (0) num_tasks(8)
    for (int i = 0; i < 8; ++i) x++;
  }
  return x != 8;
}
