// A binary tree of SIZE tasks, each of which reads one global and waits for its children.
#include "../bench.h"

namespace {

long cut_off = 1;

long tree(long tasks) {
  if (tasks <= cut_off) return tasks;
  const long half = (tasks - 1) / 2;
  long left = 0, right = 0;
#pragma omp task shared(left)
  left = tree(half);
#pragma omp task shared(right)
  right = tree(tasks - 1 - half);
#pragma omp taskwait
  return left + right + 1;
}

}  // namespace

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 1'000'000, bench::Polynomial{1});
  long counted = 0;
#pragma omp parallel
#pragma omp single
  counted = tree(tasks);
  bench::require(counted == tasks, "every task ran once");
}
