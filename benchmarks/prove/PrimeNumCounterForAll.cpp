// 24 iterations of a forall test a number each, from 108 to 131; four are primes, which are counted in isolation: 4!
// orders. (A fifth would be 120, more than the published number.)
// verdict: clean
// tasks: 25
// published: CG 30, GPR 18, PRD -
// classes: 24

#include "prove.h"

int main() {
  prove::Counter primes;
  heddle::forall(108, 132, [&](long number) {
    if (prove::is_prime(number)) primes.count();
  });
  bench::require(primes.value == 4, "the number of primes");
}
