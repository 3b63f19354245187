// The matrix product by its definition, a task a row of the result.
// expect: clean
// size: 120 rows

#include "matrix.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 120, bench::Polynomial{3});
  const af::Matrix a = af::random_matrix(n, 1), b = af::random_matrix(n, 2);
  af::Matrix c(n);
  af::root([&] { af::forall(0, n, n, [&](long i) { af::multiply_row(a, b, c, i); }); });
  bench::require(af::is_product(a, b, c), "the product");
}
