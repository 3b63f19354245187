// Counts the primes up to a limit: 25 tasks try the numbers by division, each that is prime is counted in isolation.
// expect: clean
// size: 20000 is the limit

#include <vector>

#include "async_finish.h"

namespace {

constexpr long kTasks = 25;

// All primes p with p * p <= limit, to divide by.
std::vector<long> divisors_up_to(long limit) {
  std::vector<long> primes;
  for (long n = 2; n * n <= limit; ++n) {
    bool prime = true;
    for (long p : primes) prime = prime && n % p != 0;
    if (prime) primes.push_back(n);
  }
  return primes;
}

bool is_prime(long n, const std::vector<long>& divisors) {
  for (long p : divisors) {
    if (p * p > n) break;
    if (n % p == 0) return false;
  }
  return n > 1;
}

long count_by_sieve(long limit) {
  std::vector<char> composite(limit + 1);
  long count = 0;
  for (long n = 2; n <= limit; ++n) {
    if (composite[n]) continue;
    ++count;
    for (long m = n * n; m <= limit; m += n) composite[m] = 1;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  const long limit = bench::size_argument(argc, argv, 20'000, bench::Polynomial{1.25});
  const std::vector<long> divisors = divisors_up_to(limit);
  long count = 0;
  af::root([&] {
    af::forall(2, limit + 1, kTasks, [&](long n) {
      if (is_prime(n, divisors)) af::isolated([&] { ++count; });
    });
  });
  bench::require(count == count_by_sieve(limit), "the number of primes");
}
