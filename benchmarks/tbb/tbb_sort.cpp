// parallel_sort of records by a key in the middle of them.
#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>

#include <cstdint>
#include <vector>

#include "../bench.h"

namespace {

struct Record {
  std::uint32_t number;
  std::uint32_t key;
  std::uint64_t payload;
};

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, 3'000'000, bench::Polynomial{1.05});
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  std::vector<Record> records(size);
  std::uint64_t before = 0, after = 0;
  for (long i = 0; i < size; ++i) {
    const std::uint64_t random = bench::mix(i);
    records[i] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(random), random};
    before += random;
  }
  tbb::parallel_sort(records, [](const Record& a, const Record& b) { return a.key < b.key; });
  for (long i = 0; i < size; ++i) {
    after += records[i].payload;
    bench::require(i == 0 || records[i - 1].key <= records[i].key, "keys are in order");
  }
  bench::require(before == after, "all records are there");
}
