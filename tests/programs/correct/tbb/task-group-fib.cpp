// The naive recursion: each call has a group of its own, and its two results lie in the frame of the caller.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

static int fib(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
  tbb::task_group group;
  group.run([&] { a = fib(n - 1); });
  group.run([&] { b = fib(n - 2); });
  group.wait();
  return a + b;
}

static int run() { return fib(12) != 144; }

int main() { return on_workers(run); }
