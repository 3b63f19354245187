// Two tasks add to one total, and nothing orders them: sometimes an addition is lost. The first program to try:
//
//   heddle c++ -O2 -fopenmp examples/race.cpp -o race && heddle run ./race
//
// Built with -DFIXED, each task has a total of its own.
#include <cstdio>
#include <numeric>
#include <vector>

static long total;

static void add(long& to, const std::vector<int>& values, size_t from, size_t count) {
  to += std::accumulate(values.begin() + from, values.begin() + from + count, 0L);
}

int main() {
  std::vector<int> values(1000, 1);
  long left = 0, right = 0;
#pragma omp parallel
#pragma omp single
  {
#ifdef FIXED
#pragma omp task shared(values, left)
    add(left, values, 0, 500);
#pragma omp task shared(values, right)
    add(right, values, 500, 500);
#else
#pragma omp task shared(values)
    add(total, values, 0, 500);
#pragma omp task shared(values)
    add(total, values, 500, 500);
#endif
#pragma omp taskwait
    std::printf("%ld\n", total + left + right);
  }
}
