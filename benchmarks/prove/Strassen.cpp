// One level of Strassen's matrix product: two tasks compute the seven products, the first four and the last three;
// the sums follow the finish.
// verdict: clean
// tasks: 3
// published: CG 7
// classes: 1

#include "prove.h"

#include <array>

namespace {

constexpr int kHalf = 4;
using Square = std::array<std::array<long, kHalf>, kHalf>;

template <class Combine>
Square each(const Combine& combine) {
  Square result;
  for (int i = 0; i < kHalf; ++i)
    for (int j = 0; j < kHalf; ++j) result[i][j] = combine(i, j);
  return result;
}

Square operator+(const Square& a, const Square& b) {
  return each([&](int i, int j) { return a[i][j] + b[i][j]; });
}
Square operator-(const Square& a, const Square& b) {
  return each([&](int i, int j) { return a[i][j] - b[i][j]; });
}
Square operator*(const Square& a, const Square& b) {
  return each([&](int i, int j) {
    long sum = 0;
    for (int k = 0; k < kHalf; ++k) sum += a[i][k] * b[k][j];
    return sum;
  });
}

// Quadrants by rows: 11, 12, 21, 22.
using Matrix = std::array<Square, 4>;

Matrix some_matrix(long seed) {
  Matrix matrix;
  for (Square& quadrant : matrix)
    quadrant = each([&](int i, int j) { return (seed = seed * 31 % 101) + i - j; });
  return matrix;
}

}  // namespace

int main() {
  const Matrix a = some_matrix(5), b = some_matrix(7);
  std::array<Square, 7> m;
  heddle::finish([&] {
    heddle::async([&] {
      prove::Writes region(&m[0], 4 * sizeof(Square));
      m[0] = (a[0] + a[3]) * (b[0] + b[3]);
      m[1] = (a[2] + a[3]) * b[0];
      m[2] = a[0] * (b[1] - b[3]);
      m[3] = a[3] * (b[2] - b[0]);
    });
    heddle::async([&] {
      prove::Writes region(&m[4], 3 * sizeof(Square));
      m[4] = (a[0] + a[1]) * b[3];
      m[5] = (a[2] - a[0]) * (b[0] + b[1]);
      m[6] = (a[1] - a[3]) * (b[2] + b[3]);
    });
  });
  const Matrix c = {m[0] + m[3] - m[4] + m[6], m[2] + m[4], m[1] + m[3], m[0] - m[1] + m[2] + m[5]};
  const Matrix expected = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                           a[2] * b[1] + a[3] * b[3]};
  bench::require(c == expected, "the product");
}
