// An array is written through an index array that is a permutation, but for one value that occurs twice, far apart.
// expect: race
// size: 100000 elements

#include <numeric>
#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 200;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<long> index(n), a(n);
  std::iota(index.begin(), index.end(), 0);
  bench::Random random(1);
  for (long i = n - 1; i > 0; --i) std::swap(index[i], index[random.below(i + 1)]);
  index[n - 1] = index[0];
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[index[i]] += i; }); });  // race: A
}
