// A loop whose every iteration sets x, which is read after it: the last iteration's value is wanted, but x is one
// variable for all.
// expect: race
// size: 50000 iterations

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 50'000, bench::Polynomial{1});
  std::vector<long> squares(n);
  long x = -1;
  af::root([&] {
    af::forall(0, n, kTasks, [&](long i) {
      squares[i] = i * i;
      x = i;  // race: A
    });
  });
  bench::require(x >= 0 && x < n, "the last value");
}
