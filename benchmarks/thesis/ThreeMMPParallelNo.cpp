// Three matrix products, G = (A B)(C D): the two factors are computed side by side, by tasks for their rows, and G
// after them.
// expect: clean
// size: 60 rows

#include "matrix.h"

int main(int argc, char** argv) {
  const long n = bench::size_argument(argc, argv, 60, bench::Polynomial{3});
  const af::Matrix a = af::random_matrix(n, 1), b = af::random_matrix(n, 2);
  const af::Matrix c = af::random_matrix(n, 3), d = af::random_matrix(n, 4);
  af::Matrix e(n), f(n), g(n);
  af::root([&] {
    af::finish([&] {
      af::async([&] { af::forall(0, n, n, [&](long i) { af::multiply_row(a, b, e, i); }); });
      af::async([&] { af::forall(0, n, n, [&](long i) { af::multiply_row(c, d, f, i); }); });
    });
    af::forall(0, n, n, [&](long i) { af::multiply_row(e, f, g, i); });
  });
  bench::require(af::is_product(a, b, e) && af::is_product(c, d, f) && af::is_product(e, f, g), "a product");
}
