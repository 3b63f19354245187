// Fibonacci numbers, a task group per call down to a cut-off.
#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include "../bench.h"

namespace {

constexpr int kCutOff = 16;

long serial_fib(int n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

long fib(int n) {
  if (n < kCutOff) return serial_fib(n);
  long left = 0, right = 0;
  tbb::task_group group;
  group.run([&, n] { left = fib(n - 1); });
  right = fib(n - 2);
  group.wait();
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = static_cast<int>(bench::size_argument(argc, argv, 41, bench::Exponential{1.618}));
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, bench::thread_count());
  long previous = 0, expected = 1;
  for (int i = 1; i < n; ++i) {
    const long next = previous + expected;
    previous = expected;
    expected = next;
  }
  bench::require(fib(n) == expected, "the Fibonacci number");
}
