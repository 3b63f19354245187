// Ten iterations of a forasync test a number each, from 2 to 11; five are primes, which are counted in isolation: 5!
// orders. (A sixth would be 720, more than the published number.)
// verdict: clean
// tasks: 11
// published: CG 653, GPR 2528064, PRD -
// classes: 120

#include "prove.h"

int main() {
  prove::Counter primes;
  heddle::finish([&] {
    heddle::forasync(2, 12, [&primes](long number) {
      if (prove::is_prime(number)) primes.count();
    });
  });
  bench::require(primes.value == 5, "the number of primes");
}
