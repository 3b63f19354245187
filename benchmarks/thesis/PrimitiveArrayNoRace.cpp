// Two tasks write an array of ints in turns, one the even elements, the other the odd ones: neighbours, never the same.
// expect: clean
// size: 100000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<int> numbers(n);
  af::root([&] {
    af::forall(0, 2, 2, [&](long odd) {
      for (long i = odd; i < n; i += 2) numbers[i] = 1 + static_cast<int>(odd);
    });
  });
  long sum = 0;
  for (int number : numbers) sum += number;
  bench::require(sum == n + n / 2, "the sum");
}
