// A loop over an array whose iterations have nothing to do with each other.
// expect: clean
// size: 100000 elements

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<int> a(n, 1);
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[i] = a[i] + 1; }); });
  for (int number : a) bench::require(number == 2, "an element");
}
