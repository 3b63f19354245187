// A loop over nodes that counts down how many are left, `--left` in every iteration, unprotected.
// expect: race
// size: 50000 nodes

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 50'000, bench::Polynomial{1});
  std::vector<int> nodes(n);
  for (long i = 0; i < n; ++i) nodes[i] = i % 3 == 0 ? 5 : -5;
  long left = n;
  af::root([&] {
    af::forall(0, n, kTasks, [&](long i) {
      if (nodes[i] <= 0) --left;  // race: A
    });
  });
  bench::require(left < n, "how many are left");
}
