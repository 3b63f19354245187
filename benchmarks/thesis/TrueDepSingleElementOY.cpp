// A true dependence on a single element: all iterations read element 0, which the first one writes. The array lies in
// static storage, with room for the full size.
// expect: race
// size: 128000 iterations

#include "async_finish.h"

namespace {

constexpr long kTasks = 2000;
constexpr long kLongest = 1280000;
int a[kLongest];

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 128000, bench::Polynomial{1});
  bench::require(n <= kLongest, "the size fits the array");
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[i] = a[i] + a[0]; }); });  // race: A
}
