// The temporary of the recursion is a global variable: all calls share it.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int temporary;

static void fib(int n, int& result) {
  if (n < 2) {
    result = n;
    return;
  }
  int a = 0, b = 0;
  tbb::task_group group;
  group.run([&] { fib(n - 1, a); });
  group.run([&] { fib(n - 2, b); });
  group.wait();
  temporary = a + b;   // race: A
  result = temporary;  // race: A
}

static int run() {
  int result = 0;
  fib(8, result);
  return 0;
}

int main() { return on_workers(run); }
