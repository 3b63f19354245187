// Fourier coefficients, size A of the Java Grande suite at a hundredth of its number (series.h).
// expect: clean
// size: 100 coefficients

#include "series.h"

int main(int argc, char** argv) { series::run(bench::size_argument(argc, argv, 100, bench::Polynomial{1})); }
