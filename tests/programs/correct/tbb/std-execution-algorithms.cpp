// The parallel algorithms of the standard library, which libstdc++ runs on TBB.
// expect: clean
// workers: 1 2 8

#include <algorithm>
#include <execution>
#include <numeric>
#include <vector>

#include "../../workers.hpp"

static int run() {
  std::vector<int> numbers(3000), squares(3000), sums(3000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::for_each(std::execution::par, numbers.begin(), numbers.end(), [](int& n) { n = n * 7 % 3000; });
  std::transform(std::execution::par_unseq, numbers.begin(), numbers.end(), squares.begin(), [](int n) { return n % 10; });
  const int total = std::reduce(std::execution::par, squares.begin(), squares.end());
  std::inclusive_scan(std::execution::par, squares.begin(), squares.end(), sums.begin());
  std::sort(std::execution::par, numbers.begin(), numbers.end());
  const long odd = std::count_if(std::execution::par, numbers.begin(), numbers.end(), [](int n) { return n % 2; });
  return total != 13500 || sums[2999] != total || numbers[2999] != 2999 || odd != 1500;
}

int main() { return on_workers(run); }
