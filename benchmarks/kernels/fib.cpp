// Fibonacci by its definition: hardly any memory is touched, so this is the price of tasks and of function calls.
#include "../bench.h"

namespace {

constexpr int kSerialBelow = 18;  // a leaf of about 2,600 calls, some microseconds

long serial_fib(int n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

long fib(int n) {
  if (n < kSerialBelow) return serial_fib(n);
  long a = 0;
#pragma omp task shared(a)
  a = fib(n - 1);
  const long b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

long iterative_fib(int n) {
  long a = 0, b = 1;
  for (; n > 0; --n) {
    const long sum = a + b;
    a = b;
    b = sum;
  }
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = static_cast<int>(bench::size_argument(argc, argv, 42, bench::Exponential{1.618}));
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(n);
  bench::require(result == iterative_fib(n), "fib(n)");
}
