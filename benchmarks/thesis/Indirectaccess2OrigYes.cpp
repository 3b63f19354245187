// Two pointers into one array, a fixed distance apart, with one index array for both. Its values are all different,
// but some differ by just that distance.
// expect: race
// size: 100000 indices

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 400;
constexpr long kDistance = 9;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  std::vector<long> index(n);
  // Two indices that differ by the distance lie kDistance - 1 iterations apart: tasks meet where their stretches do.
  for (long i = 0; i < n; ++i) index[i] = i / (kDistance - 1) * kDistance + i % (kDistance - 1);
  std::vector<long> a(index[n - 1] + kDistance + 1);
  long* const first = a.data();
  long* const second = first + kDistance;
  af::root([&] {
    af::forall(0, n, kTasks, [&](long i) {
      first[index[i]] += 1;   // race: A
      second[index[i]] += 3;  // race: A
    });
  });
}
