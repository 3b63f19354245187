// An anti-dependence: each iteration reads the element that the next one overwrites, so neighbouring tasks race where
// they meet. The array's length is known at run time only.
// expect: race
// size: 100000 iterations

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100000, bench::Polynomial{1});
  std::vector<int> a(n + 1);
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[i] = a[i + 1] + 1; }); });  // race: A
}
