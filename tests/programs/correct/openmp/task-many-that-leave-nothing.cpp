// Tens of thousands of tasks, singles and nested regions that end and are forgotten, one after the other, on the same
// memory. What was done before them and after them is ordered by their joins.
// workers: 1 2 8

#include <omp.h>

namespace {

int before, in_task, in_single, in_region;

void tasks(int depth) {
  if (depth == 0) return;
  int left = 0, right = 0;
#pragma omp task shared(left)
  {
    tasks(depth - 1);
    left = before;
  }
#pragma omp task shared(right)
  {
    tasks(depth - 1);
    right = before;
  }
#pragma omp taskwait
  if (left != right) __builtin_trap();
}

}  // namespace

int main() {
  before = 1;
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < 40; ++i) {
      tasks(7);
#pragma omp task
      ++in_task;
#pragma omp taskwait
      ++in_task;
    }
    for (int i = 0; i < 2000; ++i) {
#pragma omp single
      ++in_single;
    }
#pragma omp single
    for (int i = 0; i < 1000; ++i) {
#pragma omp parallel num_threads(1)
      ++in_region;
    }
  }
  return in_task == 80 && in_single == 2000 && in_region == 1000 ? 0 : 1;
}
