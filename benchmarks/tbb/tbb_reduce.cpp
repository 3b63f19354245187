// Histograms of a long array, again and again: parallel_reduce with bodies that carry their bins.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../bench.h"

namespace {

constexpr int kBins = 64;
constexpr int kPasses = 20;

class Histogram {
 public:
  explicit Histogram(const std::vector<std::uint32_t>& numbers, int shift)
      : numbers_(numbers), shift_(shift) {}
  Histogram(Histogram& other, tbb::split) : numbers_(other.numbers_), shift_(other.shift_) {}

  void operator()(const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) ++bins_[(numbers_[i] >> shift_) % kBins];
  }
  void join(const Histogram& right) {
    for (int bin = 0; bin < kBins; ++bin) bins_[bin] += right.bins_[bin];
  }
  long total() const {
    long sum = 0;
    for (const long bin : bins_) sum += bin;
    return sum;
  }

 private:
  const std::vector<std::uint32_t>& numbers_;
  int shift_;
  std::array<long, kBins> bins_{};
};

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, 8'000'000, bench::Polynomial{1});
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  std::vector<std::uint32_t> numbers(size);
  for (long i = 0; i < size; ++i) numbers[i] = static_cast<std::uint32_t>(bench::mix(i));
  for (int pass = 0; pass < kPasses; ++pass) {
    Histogram histogram(numbers, pass);
    tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, numbers.size(), 10'000), histogram);
    bench::require(histogram.total() == size, "every number is in a bin");
  }
}
