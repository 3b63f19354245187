// taskwait waits for children, not for grandchildren. The inner task may still be writing when main reads.
// With -DFIXED a taskgroup, which waits for all descendants, stands around both.
//
// Try it with one thread, too (OMP_NUM_THREADS=1): the verdict is the same, because it comes from how the program is
// built up, and not from which thread happened to run which task.
#include <cstdio>

static int answer;

static void start() {
#pragma omp task
  {
#pragma omp task
    answer = 42;
  }
}

int main() {
#pragma omp parallel
#pragma omp single
  {
#ifdef FIXED
#pragma omp taskgroup
    start();
#else
    start();
#pragma omp taskwait
#endif
    std::printf("%d\n", answer);
  }
}
