// A loop over an array whose tasks add up their part alone and then put it into the total with one isolated block each.
// expect: clean
// size: 200000 elements

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 100;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 200'000, bench::Polynomial{1});
  std::vector<long> numbers(n, 1);
  long total = 0, parts = 0;
  af::root([&] {
    af::forall(0, kTasks, kTasks, [&](long task) {
      long sum = 0;
      for (long i = n * task / kTasks; i < n * (task + 1) / kTasks; ++i) sum += numbers[i];
      af::isolated([&] {
        total += sum;
        ++parts;
      });
    });
  });
  bench::require(total == n && parts == kTasks, "the total");
}
