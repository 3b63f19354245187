// Three simple tasks: the first two fill an array each, the third adds up what the first one writes, without waiting
// for it.
// expect: race
// size: 50000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 50'000, bench::Polynomial{1});
  std::vector<long> first(n), second(n);
  long sum = 0;
  af::root([&] {
    af::finish([&] {
      af::async([&] {
        for (long i = 0; i < n; ++i) first[i] = i;  // race: A
      });
      af::async([&] {
        for (long i = 0; i < n; ++i) second[i] = i;
      });
      af::async([&] {
        for (long i = 0; i < n; ++i) sum += first[i];  // race: A
      });
    });
  });
  bench::require(sum >= 0, "the sum");
}
