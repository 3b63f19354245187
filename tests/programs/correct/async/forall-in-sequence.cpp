// A forall waits: what the next one reads is there.

#include <heddle/async.hpp>

int from[10], to[10];

int main() {
  heddle::forall(0, 10, [](long i) { from[i] = static_cast<int>(i); });
  heddle::forall(0, 10, [](long i) { to[i] = from[9 - i]; });
  return to[0] - 9;
}
