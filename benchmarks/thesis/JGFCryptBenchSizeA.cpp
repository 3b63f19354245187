// IDEA encryption and decryption, size A of the Java Grande suite at a hundredth of its length (crypt.h).
// expect: clean
// size: 30000 bytes

#include "crypt.h"

int main(int argc, char** argv) { idea::run(bench::size_argument(argc, argv, 30000, bench::Polynomial{1})); }
