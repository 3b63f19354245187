// Quicksort in place with a low cut-off: very many small untied tasks, each of which owns a stretch of one array that
// other tasks owned before and will own after it. Nobody waits but the barrier at the end.
#include "../bench.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace {

constexpr long kLeaf = 64;

void insertion_sort(int* first, int* last) {
  for (int* at = first; at < last; ++at) {
    const int value = *at;
    int* place = at;
    for (; place > first && place[-1] > value; --place) *place = place[-1];
    *place = value;
  }
}

// Neither part is empty; no value of the first is greater than one of the second, which begins at the result.
int* partition(int* first, int* last) {
  const int a = *first, b = first[(last - first) / 2], c = last[-1];
  const int pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
  for (;; ++first) {
    while (*first < pivot) ++first;
    do --last;
    while (*last > pivot);
    if (first >= last) return first;
    std::swap(*first, *last);
  }
}

void sort(int* first, int* last) {
  while (last - first > kLeaf) {
    int* middle = partition(first, last);
#pragma omp task untied firstprivate(first, middle)
    sort(first, middle);
    first = middle;
  }
  insertion_sort(first, last);
}

// Of values in any order.
std::uint64_t fingerprint(const std::vector<int>& data) {
  std::uint64_t sum = 0;
  for (int value : data) sum += bench::mix(value);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 6'000'000, bench::Polynomial{1.06});
  bench::Random random(1);
  std::vector<int> data(n);
  for (int& value : data) value = static_cast<int>(random.below(1 << 30));
  const std::uint64_t before = fingerprint(data);
#pragma omp parallel
#pragma omp single
  sort(data.data(), data.data() + n);
  bench::require(std::is_sorted(data.begin(), data.end()), "sorted");
  bench::require(fingerprint(data) == before, "the same values");
}
