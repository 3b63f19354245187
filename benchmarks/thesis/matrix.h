// A square matrix, row after row, and the product by rows that the matrix programs share.
#pragma once

#include <vector>

#include "async_finish.h"

namespace af {

class Matrix {
 public:
  explicit Matrix(long n) : n_(n), cells_(n * n) {}
  long rows() const { return n_; }
  double& operator()(long i, long j) { return cells_[i * n_ + j]; }
  double operator()(long i, long j) const { return cells_[i * n_ + j]; }

 private:
  long n_;
  std::vector<double> cells_;
};

// Small integers: every sum is exact, in whatever order it is taken.
inline Matrix random_matrix(long n, std::uint64_t seed) {
  bench::Random random(seed);
  Matrix result(n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) result(i, j) = static_cast<double>(random.below(10));
  return result;
}

inline void multiply_row(const Matrix& a, const Matrix& b, Matrix& c, long i) {
  for (long j = 0; j < a.rows(); ++j) {
    double sum = 0;
    for (long k = 0; k < a.rows(); ++k) sum += a(i, k) * b(k, j);
    c(i, j) = sum;
  }
}

// Freivalds' check with the vector of ones: c = a b gives the same row sums.
inline bool is_product(const Matrix& a, const Matrix& b, const Matrix& c) {
  const long n = a.rows();
  std::vector<double> row(n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) row[i] += b(i, j);
  for (long i = 0; i < n; ++i) {
    double expected = 0, got = 0;
    for (long j = 0; j < n; ++j) {
      expected += a(i, j) * row[j];
      got += c(i, j);
    }
    if (expected != got) return false;
  }
  return true;
}

}  // namespace af
