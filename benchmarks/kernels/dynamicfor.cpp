// Sparse matrix times vector with rows of very different length: a parallel for with a dynamic schedule, repeated, and
// a reduction. Integer arithmetic modulo a prime makes the result independent of the schedule.
#include "../bench.h"

#include <vector>

namespace {

constexpr long kPrime = 1'000'003;
constexpr int kProducts = 60;

struct SparseMatrix {
  std::vector<long> row_start{0};
  std::vector<int> column;
  std::vector<int> value;
};

SparseMatrix generate(long n) {
  SparseMatrix m;
  bench::Random random(1);
  for (long i = 0; i < n; ++i) {
    const long length = i % 64 == 0 ? 400 : 4 + random.below(12);
    for (long k = 0; k < length; ++k) {
      m.column.push_back(static_cast<int>(random.below(n)));
      m.value.push_back(static_cast<int>(random.below(kPrime)));
    }
    m.row_start.push_back(static_cast<long>(m.column.size()));
  }
  return m;
}

// out = m in; returns the sum of out.
long multiply(const SparseMatrix& m, const std::vector<long>& in, std::vector<long>& out) {
  const long n = static_cast<long>(out.size());
  long total = 0;
#pragma omp parallel for schedule(dynamic, 32) reduction(+ : total)
  for (long i = 0; i < n; ++i) {
    long sum = 0;
    for (long k = m.row_start[i]; k < m.row_start[i + 1]; ++k) sum += m.value[k] * in[m.column[k]] % kPrime;
    out[i] = sum % kPrime;
    total += out[i];
  }
  return total;
}

// The sum of m x, by adding up columns first: the same value along another path.
long expected_total(const SparseMatrix& m, const std::vector<long>& x) {
  long total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    long row = 0;
    for (long k = m.row_start[i]; k < m.row_start[i + 1]; ++k)
      row = (row + m.value[k] * x[m.column[k]]) % kPrime;
    total += row;
  }
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 120'000, bench::Polynomial{1});
  const SparseMatrix m = generate(n);
  std::vector<long> x(n, 1), y(n);
  bench::atomic(y);
  long total = 0;
  for (int i = 0; i < kProducts; ++i) {
    total = multiply(m, x, y);
    x.swap(y);
  }
  bench::require(total == expected_total(m, y), "sum of the last product");
}
