// Quicksort: the two parts of a partition are sorted by two functions, in place.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_invoke.h>

#include <algorithm>

#include "../../workers.hpp"

int numbers[200];

static void sort(int* first, int* last) {
  if (last - first < 2) return;
  const int pivot = first[(last - first) / 2];
  int* below = std::partition(first, last, [=](int x) { return x < pivot; });
  int* above = std::partition(below, last, [=](int x) { return x == pivot; });
  tbb::parallel_invoke([=] { sort(first, below); }, [=] { sort(above, last); });
}

static int run() {
  for (int i = 0; i < 200; ++i) numbers[i] = i * 77 % 200;
  sort(numbers, numbers + 200);
  return !std::is_sorted(numbers, numbers + 200);
}

int main() { return on_workers(run); }
