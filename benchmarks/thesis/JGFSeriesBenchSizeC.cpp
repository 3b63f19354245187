// Fourier coefficients, size C of the Java Grande suite at a hundredth of its number (series.h).
// expect: clean
// size: 10000 coefficients

#include "series.h"

int main(int argc, char** argv) {
  series::run(bench::size_argument(argc, argv, 10000, bench::Polynomial{1}));
}
