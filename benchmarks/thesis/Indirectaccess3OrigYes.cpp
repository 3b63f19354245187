// Two levels of indirection: the outer index is a permutation, the inner one maps two places to one near the end of
// the array.
// expect: race
// size: 100000 elements

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 400;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<long> outer(n), inner(n), a(n);
  for (long i = 0; i < n; ++i) {
    outer[i] = n - 1 - i;
    inner[i] = i;
  }
  inner[0] = n - 1;
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { a[inner[outer[i]]] += i; }); });  // race: A
}
