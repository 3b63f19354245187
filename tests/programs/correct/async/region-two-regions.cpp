// Awaiting one region orders its tasks only, which is all that is read.

#include <heddle/async.hpp>

int a, b;

int main() {
  heddle::region first, second;
  first.post([] { a = 1; });
  second.post([] { b = 1; });
  first.await();
  int seen = a;
  second.await();
  return seen + b - 2;
}
