// A true dependence with linear indices: iteration i writes element 2i+1, which iteration 2i+1 reads. The array lies
// in static storage, with room for the full size.
// expect: race
// size: 100000 iterations

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;
constexpr long kLongest = 1000000;
int a[2 * kLongest];

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100000, bench::Polynomial{1});
  bench::require(n <= kLongest, "the size fits the array");
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[2 * i + 1] = a[i] + 1; }); });  // race: A
}
