// A task branches in two, and each branch again: the four leaves work on a quarter of an array each, and each branch
// adds up its own two after its finish.
// expect: clean
// size: 40000 elements

#include <vector>

#include "async_finish.h"

namespace {

constexpr int kDepth = 2;
constexpr int kPasses = 2;

long branch(std::vector<long>& numbers, long begin, long end, int depth) {
  if (depth == 0) {
    for (int pass = 0; pass < kPasses; ++pass)
      for (long i = begin; i < end; ++i) numbers[i] += i;
    long sum = 0;
    for (long i = begin; i < end; ++i) sum += numbers[i];
    return sum;
  }
  const long middle = begin + (end - begin) / 2;
  long left = 0, right = 0;
  af::finish([&] {
    af::async([&] { left = branch(numbers, begin, middle, depth - 1); });
    af::async([&] { right = branch(numbers, middle, end, depth - 1); });
  });
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 40'000, bench::Polynomial{1});
  std::vector<long> numbers(n);
  long sum = 0;
  af::root([&] { sum = branch(numbers, 0, n, kDepth); });
  bench::require(sum == kPasses * (n * (n - 1) / 2), "the sum");
}
