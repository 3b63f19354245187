// Merge sort whose halves, and whose merges, are tasks: streams through large arrays, each half handed to its parent.
#include "../bench.h"

#include <algorithm>
#include <vector>

namespace {

constexpr long kSortLeaf = 2048;
constexpr long kMergeLeaf = 4096;
constexpr long kInsertionLeaf = 24;

void insertion_sort(int* data, long n) {
  for (long i = 1; i < n; ++i) {
    const int value = data[i];
    long j = i;
    for (; j > 0 && data[j - 1] > value; --j) data[j] = data[j - 1];
    data[j] = value;
  }
}

void serial_merge(const int* a, long na, const int* b, long nb, int* out) {
  long i = 0, j = 0;
  while (i < na && j < nb) *out++ = b[j] < a[i] ? b[j++] : a[i++];
  while (i < na) *out++ = a[i++];
  while (j < nb) *out++ = b[j++];
}

// Splits the longer run in the middle and the other where that middle would stand.
void merge(const int* a, long na, const int* b, long nb, int* out) {
  if (na < nb) {
    std::swap(a, b);
    std::swap(na, nb);
  }
  if (na + nb <= kMergeLeaf) return serial_merge(a, na, b, nb, out);
  const long i = na / 2;
  const long j = std::lower_bound(b, b + nb, a[i]) - b;
#pragma omp task
  merge(a, i, b, j, out);
  merge(a + i, na - i, b + j, nb - j, out + i + j);
#pragma omp taskwait
}

void serial_sort(int* data, int* scratch, long n) {
  if (n <= kInsertionLeaf) return insertion_sort(data, n);
  const long half = n / 2;
  serial_sort(data, scratch, half);
  serial_sort(data + half, scratch + half, n - half);
  serial_merge(data, half, data + half, n - half, scratch);
  std::copy(scratch, scratch + n, data);
}

// Sorts four quarters, merges them pairwise into scratch, and scratch back into data.
void sort(int* data, int* scratch, long n) {
  if (n <= kSortLeaf) return serial_sort(data, scratch, n);
  const long q = n / 4, rest = n - 3 * q;
#pragma omp task
  sort(data, scratch, q);
#pragma omp task
  sort(data + q, scratch + q, q);
#pragma omp task
  sort(data + 2 * q, scratch + 2 * q, q);
  sort(data + 3 * q, scratch + 3 * q, rest);
#pragma omp taskwait
#pragma omp task
  merge(data, q, data + q, q, scratch);
  merge(data + 2 * q, q, data + 3 * q, rest, scratch + 2 * q);
#pragma omp taskwait
  merge(scratch, 2 * q, scratch + 2 * q, n - 2 * q, data);
}

std::uint64_t fingerprint(const std::vector<int>& data) {
  std::uint64_t sum = 0;
  for (int value : data) sum += bench::mix(static_cast<std::uint64_t>(value));
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 6'000'000, bench::Polynomial{1});
  std::vector<int> data(n), scratch(n);
  bench::Random random(1);
  for (int& value : data) value = static_cast<int>(random.below(1'000'000'000));
  const std::uint64_t before = fingerprint(data);
  bench::atomic(data);
#pragma omp parallel
#pragma omp single
  sort(data.data(), scratch.data(), n);
  bench::require(std::is_sorted(data.begin(), data.end()), "sorted");
  bench::require(fingerprint(data) == before, "same elements");
}
