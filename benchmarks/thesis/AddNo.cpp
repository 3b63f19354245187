// Adds up an array: two tasks have a half and a result each, and the root adds the two results after the finish.
// expect: clean
// size: 200000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 200'000, bench::Polynomial{1});
  std::vector<long> numbers(n);
  for (long i = 0; i < n; ++i) numbers[i] = i;
  long halves[2] = {0, 0};
  af::root([&] {
    af::forall(0, 2, 2, [&](long half) {
      for (long i = n * half / 2; i < n * (half + 1) / 2; ++i) halves[half] += numbers[i];
    });
  });
  bench::require(halves[0] + halves[1] == n * (n - 1) / 2, "the sum");
}
