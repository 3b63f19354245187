// IDEA encryption and decryption, size C of the Java Grande suite at a hundredth of its length (crypt.h).
// expect: clean
// size: 500000 bytes

#include "crypt.h"

int main(int argc, char** argv) { idea::run(bench::size_argument(argc, argv, 500000, bench::Polynomial{1})); }
