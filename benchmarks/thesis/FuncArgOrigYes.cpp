// Tasks call a function that counts its argument down. It is passed by value, so each call has its own: no race, as
// the table of the thesis says too, against the program's name.
// expect: clean
// size: 100000 calls

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;
constexpr int kStart = 3;

[[gnu::noinline]] int count_down(int q, int& turns) {
  while (q > 0) {
    --q;
    ++turns;
  }
  return q;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 100'000, bench::Polynomial{1});
  const int start = kStart;
  std::vector<int> ends(n, -1), turns(n);
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { ends[i] = count_down(start, turns[i]); }); });
  for (long i = 0; i < n; ++i) bench::require(ends[i] == 0 && turns[i] == kStart, "a call's argument");
}
