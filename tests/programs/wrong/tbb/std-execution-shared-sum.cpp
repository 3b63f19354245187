// The function that for_each calls adds to one variable, as if the policy were seq.
// expect: race
// workers: 1 2 8

#include <algorithm>
#include <execution>
#include <vector>

#include "../../workers.hpp"

int sum;

static int run() {
  std::vector<int> numbers(500, 1);
  std::for_each(std::execution::par, numbers.begin(), numbers.end(), [](int number) {
    sum += number;  // race: A
  });
  return 0;
}

int main() { return on_workers(run); }
