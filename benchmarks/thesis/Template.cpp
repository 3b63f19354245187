// The skeleton that other programs start from: one finish, two tasks, each with a half of an array to itself; the
// root reads it all when they are done.
// expect: clean
// size: 100000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<long> numbers(n);
  long sum = 0;
  af::root([&] {
    af::finish([&] {
      af::async([&] {
        for (long i = 0; i < n / 2; ++i) numbers[i] = i;
      });
      af::async([&] {
        for (long i = n / 2; i < n; ++i) numbers[i] = i;
      });
    });
    for (long number : numbers) sum += number;
  });
  bench::require(sum == n * (n - 1) / 2, "the sum");
}
