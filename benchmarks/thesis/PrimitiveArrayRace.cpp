// Two tasks write an array of ints; their halves overlap in the middle element.
// expect: race
// size: 100000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<int> numbers(n);
  af::root([&] {
    af::finish([&] {
      af::async([&] {
        for (long i = 0; i <= n / 2; ++i) numbers[i] = 1;  // race: A
      });
      af::async([&] {
        for (long i = n / 2; i < n; ++i) numbers[i] = 2;  // race: A
      });
    });
  });
}
