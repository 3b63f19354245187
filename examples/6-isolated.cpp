// Primes are counted by the iterations of a forall. The counter is shared, so each update must be isolated; one is
// not. Compile with -DFIXED to isolate that, too. Isolated sections exclude each other, but say nothing about which
// comes first.
//
//   heddle c++ -O2 -std=c++20 6-isolated.cpp -o isolated && heddle run ./isolated
#include <heddle/async.hpp>

#include <cstdio>

bool is_prime(long n) {
  for (long d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

int main() {
  long primes = 0, last = 0;
  heddle::forall(2, 30, [&](long n) {
    if (!is_prime(n)) return;
    heddle::isolated([&] { ++primes; });
#ifdef FIXED
    heddle::isolated([&] { last = n > last ? n : last; });
#else
    if (n > last) last = n;
#endif
  });
  std::printf("%ld, the largest is %ld\n", primes, last);
}
