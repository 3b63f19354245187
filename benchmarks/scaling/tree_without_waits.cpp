// A binary tree of SIZE tasks, each of which reads one global and ends before its children.
#include "../bench.h"

namespace {

long cut_off = 1;
long leaves = 0;

void tree(long tasks) {
  if (tasks <= cut_off) {
#pragma omp atomic
    leaves += tasks;
    return;
  }
  const long half = (tasks - 1) / 2;
#pragma omp task
  tree(half);
#pragma omp task
  tree(tasks - 1 - half);
}

}  // namespace

int main(int argc, char** argv) {
  const long tasks = bench::size_argument(argc, argv, 1'000'000, bench::Polynomial{1});
#pragma omp parallel
#pragma omp single
  tree(tasks);
  bench::require(leaves > tasks / 4, "every task ran once");
}
