// A true dependence on a single element: all iterations read element 0, which the first one writes. The array's
// length is known at run time only.
// expect: race
// size: 128000 iterations

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 2000;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 128000, bench::Polynomial{1});
  std::vector<int> a(n);
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[i] = a[i] + a[0]; }); });  // race: A
}
