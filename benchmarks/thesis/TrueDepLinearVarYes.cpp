// A true dependence with linear indices: iteration i writes element 2i+1, which iteration 2i+1 reads. The array's
// length is known at run time only.
// expect: race
// size: 80000 iterations

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 80000, bench::Polynomial{1});
  std::vector<int> a(2 * n);
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[2 * i + 1] = a[i] + 1; }); });  // race: A
}
