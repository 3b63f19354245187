// Filters an array stably: parallel_scan gives each number that stays its place, a loop moves it there.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_scan.h>

#include <cstdint>
#include <vector>

#include "../bench.h"

namespace {

constexpr int kPasses = 6;

bool stays(std::uint32_t number, int pass) { return (number >> pass) % 8 != 0; }

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, 8'000'000, bench::Polynomial{1});
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  std::vector<std::uint32_t> numbers(size), kept(size);
  std::vector<std::uint32_t> places(size);
  for (long i = 0; i < size; ++i) numbers[i] = static_cast<std::uint32_t>(bench::mix(i));
  long left = size;
  using Range = tbb::blocked_range<long>;
  for (int pass = 0; pass < kPasses; ++pass) {
    const std::uint32_t count = tbb::parallel_scan(
        Range(0, left, 10'000), std::uint32_t{0},
        [&](const Range& range, std::uint32_t sum, bool is_final) {
          for (long i = range.begin(); i != range.end(); ++i) {
            if (is_final) places[i] = sum;
            sum += stays(numbers[i], pass);
          }
          return sum;
        },
        [](std::uint32_t a, std::uint32_t b) { return a + b; });
    tbb::parallel_for(Range(0, left, 10'000), [&](const Range& range) {
      for (long i = range.begin(); i != range.end(); ++i)
        if (stays(numbers[i], pass)) kept[places[i]] = numbers[i];
    });
    numbers.swap(kept);
    left = count;
    for (long i = 0; i < left; i += 1'000)
      bench::require(stays(numbers[i], pass), "what is left was to stay");
  }
}
