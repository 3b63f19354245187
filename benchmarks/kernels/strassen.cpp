// Strassen's matrix product: seven tasks a level, sums in temporaries from the heap, dense loops in the leaves.
// Integer entries keep every product exact, so the check (Freivalds: C r = A (B r)) needs no tolerance.
#include "../bench.h"

#include <vector>

namespace {

constexpr long kLeaf = 64;

struct View {
  double* data;
  long stride;
  double* row(long i) const { return data + i * stride; }
  View quarter(long i, long j, long half) const { return {data + i * half * stride + j * half, stride}; }
};

struct Matrix {
  std::vector<double> cells;
  long n;
  explicit Matrix(long order) : cells(order * order), n(order) {}
  View view() { return {cells.data(), n}; }
};

void multiply_leaf(View a, View b, View c, long n) {
  for (long i = 0; i < n; ++i) {
    double* out = c.row(i);
    for (long j = 0; j < n; ++j) out[j] = 0;
    for (long k = 0; k < n; ++k) {
      const double factor = a.row(i)[k];
      const double* in = b.row(k);
      for (long j = 0; j < n; ++j) out[j] += factor * in[j];
    }
  }
}

// out = x + sign * y
void combine(View x, double sign, View y, View out, long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) out.row(i)[j] = x.row(i)[j] + sign * y.row(i)[j];
}

void multiply(View a, View b, View c, long n) {
  if (n <= kLeaf) return multiply_leaf(a, b, c, n);
  const long h = n / 2;
  const View a11 = a.quarter(0, 0, h), a12 = a.quarter(0, 1, h), a21 = a.quarter(1, 0, h),
             a22 = a.quarter(1, 1, h);
  const View b11 = b.quarter(0, 0, h), b12 = b.quarter(0, 1, h), b21 = b.quarter(1, 0, h),
             b22 = b.quarter(1, 1, h);
  const View c11 = c.quarter(0, 0, h), c12 = c.quarter(0, 1, h), c21 = c.quarter(1, 0, h),
             c22 = c.quarter(1, 1, h);
  Matrix products[7] = {Matrix(h), Matrix(h), Matrix(h), Matrix(h), Matrix(h), Matrix(h), Matrix(h)};
  View p[7];
  for (int i = 0; i < 7; ++i) p[i] = products[i].view();

#pragma omp task shared(p)
  {
    Matrix s(h), t(h);
    combine(a11, 1, a22, s.view(), h);
    combine(b11, 1, b22, t.view(), h);
    multiply(s.view(), t.view(), p[0], h);
  }
#pragma omp task shared(p)
  {
    Matrix s(h);
    combine(a21, 1, a22, s.view(), h);
    multiply(s.view(), b11, p[1], h);
  }
#pragma omp task shared(p)
  {
    Matrix t(h);
    combine(b12, -1, b22, t.view(), h);
    multiply(a11, t.view(), p[2], h);
  }
#pragma omp task shared(p)
  {
    Matrix t(h);
    combine(b21, -1, b11, t.view(), h);
    multiply(a22, t.view(), p[3], h);
  }
#pragma omp task shared(p)
  {
    Matrix s(h);
    combine(a11, 1, a12, s.view(), h);
    multiply(s.view(), b22, p[4], h);
  }
#pragma omp task shared(p)
  {
    Matrix s(h), t(h);
    combine(a21, -1, a11, s.view(), h);
    combine(b11, 1, b12, t.view(), h);
    multiply(s.view(), t.view(), p[5], h);
  }
#pragma omp task shared(p)
  {
    Matrix s(h), t(h);
    combine(a12, -1, a22, s.view(), h);
    combine(b21, 1, b22, t.view(), h);
    multiply(s.view(), t.view(), p[6], h);
  }
#pragma omp taskwait

  for (long i = 0; i < h; ++i)
    for (long j = 0; j < h; ++j) {
      const auto at = [&](int k) { return p[k].row(i)[j]; };
      c11.row(i)[j] = at(0) + at(3) - at(4) + at(6);
      c12.row(i)[j] = at(2) + at(4);
      c21.row(i)[j] = at(1) + at(3);
      c22.row(i)[j] = at(0) - at(1) + at(2) + at(5);
    }
}

std::vector<double> apply(Matrix& m, const std::vector<double>& x) {
  std::vector<double> y(m.n);
  for (long i = 0; i < m.n; ++i)
    for (long j = 0; j < m.n; ++j) y[i] += m.view().row(i)[j] * x[j];
  return y;
}

}  // namespace

int main(int argc, char** argv) {
  const long levels = bench::size_argument(argc, argv, 4, bench::Exponential{7});
  const long n = kLeaf << levels;
  Matrix a(n), b(n), c(n);
  bench::Random random(1);
  for (double& cell : a.cells) cell = static_cast<double>(random.below(8));
  for (double& cell : b.cells) cell = static_cast<double>(random.below(8));
  bench::atomic(c.cells);
#pragma omp parallel
#pragma omp single
  multiply(a.view(), b.view(), c.view(), n);
  std::vector<double> r(n);
  for (double& cell : r) cell = static_cast<double>(random.below(2));
  bench::require(apply(c, r) == apply(a, apply(b, r)), "C r = A (B r)");
}
