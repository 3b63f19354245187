// Fourier coefficients, size B of the Java Grande suite at a hundredth of its number (series.h).
// expect: clean
// size: 1000 coefficients

#include "series.h"

int main(int argc, char** argv) { series::run(bench::size_argument(argc, argv, 1000, bench::Polynomial{1})); }
