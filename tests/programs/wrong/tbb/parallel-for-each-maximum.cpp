// The calls look for the maximum in a variable that they share.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for_each.h>

#include <vector>

#include "../../workers.hpp"

int maximum;

static int run() {
  std::vector<int> numbers{3, 1, 4, 1, 5, 9, 2, 6};
  tbb::parallel_for_each(numbers, [](int number) {
    if (number > maximum)  // race: A
      maximum = number;    // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
