// Strassen's matrix product: seven tasks a level, which read quadrants of the factors and write matrices of their
// own; the sums follow the finish.
// expect: clean
// size: 128 rows

#include "matrix.h"

namespace {

constexpr long kLeaf =
    32;  // rows from which on the product is taken by its definition: two levels of tasks at the default size

// A square part of a matrix of `stride` columns.
struct View {
  double* at;
  long stride;
  double& operator()(long i, long j) const { return at[i * stride + j]; }
  View quadrant(long row, long column, long half) const {
    return {at + row * half * stride + column * half, stride};
  }
};

View view_of(af::Matrix& matrix) { return {&matrix(0, 0), matrix.rows()}; }

template <class Combine>
void each(long n, const Combine& combine) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) combine(i, j);
}

void by_definition(View a, View b, View c, long n) {
  each(n, [&](long i, long j) {
    double sum = 0;
    for (long k = 0; k < n; ++k) sum += a(i, k) * b(k, j);
    c(i, j) = sum;
  });
}

void strassen(View a, View b, View c, long n) {
  if (n <= kLeaf || n % 2 != 0) return by_definition(a, b, c, n);
  const long h = n / 2;
  const View a11 = a.quadrant(0, 0, h), a12 = a.quadrant(0, 1, h), a21 = a.quadrant(1, 0, h),
             a22 = a.quadrant(1, 1, h);
  const View b11 = b.quadrant(0, 0, h), b12 = b.quadrant(0, 1, h), b21 = b.quadrant(1, 0, h),
             b22 = b.quadrant(1, 1, h);
  std::vector<af::Matrix> m(7, af::Matrix(h));
  // m[index] = (x + sign y)(u + sign v), where a missing term has the sign 0.
  const auto product = [&m, h](int index, View x, double y_sign, View y, View u, double v_sign, View v) {
    af::async([&m, h, index, x, y_sign, y, u, v_sign, v] {
      af::Matrix left(h), right(h);
      each(h, [&](long i, long j) {
        left(i, j) = y_sign == 0 ? x(i, j) : x(i, j) + y_sign * y(i, j);
        right(i, j) = v_sign == 0 ? u(i, j) : u(i, j) + v_sign * v(i, j);
      });
      strassen(view_of(left), view_of(right), view_of(m[index]), h);
    });
  };
  af::finish([&] {
    product(0, a11, 1, a22, b11, 1, b22);
    product(1, a21, 1, a22, b11, 0, b11);
    product(2, a11, 0, a11, b12, -1, b22);
    product(3, a22, 0, a22, b21, -1, b11);
    product(4, a11, 1, a12, b22, 0, b22);
    product(5, a21, -1, a11, b11, 1, b12);
    product(6, a12, -1, a22, b21, 1, b22);
  });
  const View c11 = c.quadrant(0, 0, h), c12 = c.quadrant(0, 1, h), c21 = c.quadrant(1, 0, h),
             c22 = c.quadrant(1, 1, h);
  each(h, [&](long i, long j) {
    c11(i, j) = m[0](i, j) + m[3](i, j) - m[4](i, j) + m[6](i, j);
    c12(i, j) = m[2](i, j) + m[4](i, j);
    c21(i, j) = m[1](i, j) + m[3](i, j);
    c22(i, j) = m[0](i, j) - m[1](i, j) + m[2](i, j) + m[5](i, j);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 128, bench::Polynomial{2.807});
  af::Matrix a = af::random_matrix(n, 1), b = af::random_matrix(n, 2), c(n);
  af::root([&] { strassen(view_of(a), view_of(b), view_of(c), n); });
  bench::require(af::is_product(a, b, c), "the product");
}
