// Three simple tasks, one inside the other: the outermost reads what the innermost writes. All of them end at the
// finish, none of them waits for another.
// expect: race
// size: 50000 elements

#include <vector>

#include "async_finish.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 50'000, bench::Polynomial{1});
  std::vector<long> inner(n), middle(n);
  long sum = 0;
  af::root([&] {
    af::finish([&] {
      af::async([&] {
        af::async([&] {
          af::async([&] {
            for (long i = 0; i < n; ++i) inner[i] = i;  // race: A
          });
          for (long i = 0; i < n; ++i) middle[i] = i;
        });
        for (long i = 0; i < n; ++i) sum += inner[i];  // race: A
      });
    });
  });
  bench::require(sum >= 0, "the sum");
}
