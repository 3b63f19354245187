// 24 tasks test a number each, from 14 to 37; six are primes, which are counted in isolation: 6! orders. (A seventh
// prime would be 5040, more than the published number.)
// verdict: clean
// tasks: 25
// published: CG 776, GPR 3542569, PRD -
// classes: 720

#include "prove.h"

int main() {
  prove::Counter primes;
  heddle::finish([&] {
    for (long number = 14; number <= 37; ++number)
      heddle::async([&primes, number] {
        if (prove::is_prime(number)) primes.count();
      });
  });
  bench::require(primes.value == 6, "the number of primes");
}
