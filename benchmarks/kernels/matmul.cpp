// Dense matrix product, one task per block of the result: every task reads a row and a column of blocks that others
// read too. Integer entries make the check (Freivalds: C r = A (B r)) exact.
#include "../bench.h"

#include <vector>

namespace {

constexpr long kBlock = 64;

using Cells = std::vector<double>;

void multiply_block(const double* a, const double* b, double* c, long n, long row, long column) {
  for (long i = row; i < row + kBlock; ++i)
    for (long k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      for (long j = column; j < column + kBlock; ++j) c[i * n + j] += factor * b[k * n + j];
    }
}

Cells apply(const Cells& m, const Cells& x) {
  const long n = static_cast<long>(x.size());
  Cells y(n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) y[i] += m[i * n + j] * x[j];
  return y;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = kBlock * bench::size_argument(argc, argv, 16, bench::Polynomial{3});
  Cells a(n * n), b(n * n), c(n * n), r(n);
  bench::Random random(1);
  for (double& cell : a) cell = static_cast<double>(random.below(8));
  for (double& cell : b) cell = static_cast<double>(random.below(8));
  for (double& cell : r) cell = static_cast<double>(random.below(2));
  bench::atomic(c);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i += kBlock)
    for (long j = 0; j < n; j += kBlock) {
#pragma omp task shared(a, b, c) firstprivate(i, j, n)
      multiply_block(a.data(), b.data(), c.data(), n, i, j);
    }
  bench::require(apply(c, r) == apply(a, apply(b, r)), "C r = A (B r)");
}
