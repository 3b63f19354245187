// IDEA encryption and decryption, size B of the Java Grande suite at a hundredth of its length (crypt.h).
// expect: clean
// size: 200000 bytes

#include "crypt.h"

int main(int argc, char** argv) { idea::run(bench::size_argument(argc, argv, 200000, bench::Polynomial{1})); }
