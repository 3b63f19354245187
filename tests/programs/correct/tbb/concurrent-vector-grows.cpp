// The vector grows under many tasks; each writes the elements that it was given, which never move.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_vector.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

static int run() {
  tbb::concurrent_vector<int> numbers;
  tbb::parallel_for(0, 50, [&](int i) {
    auto mine = numbers.push_back(i);
    *mine += 1;
    auto more = numbers.grow_by(3, 0);
    for (int k = 0; k < 3; ++k, ++more) *more = k;
  });
  int sum = 0;
  for (int number : numbers) sum += number;
  return sum != 1275 + 150 || numbers.size() != 200;
}

int main() { return on_workers(run); }
