// A histogram: the index is the bucket that a value falls into, and values of all tasks fall into the same buckets.
// expect: race
// size: 50000 values

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 200;
constexpr long kBuckets = 4096;

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 50'000, bench::Polynomial{1});
  std::vector<long> buckets(kBuckets), bucket_of(n);
  bench::Random random(4);
  // The last value falls where the first one does, so that even a small histogram has two of a kind.
  for (long i = 0; i < n; ++i) bucket_of[i] = random.below(kBuckets);
  bucket_of[n - 1] = bucket_of[0];
  af::root([&] { af::forall(0, n, kTasks, [&](long i) { ++buckets[bucket_of[i]]; }); });  // race: A
}
