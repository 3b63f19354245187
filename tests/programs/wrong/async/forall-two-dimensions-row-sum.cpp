// All pairs of a row add to one sum.
// expect: race

#include <heddle/async.hpp>

int sums[6];

int main() {
  heddle::forall(6, 7, [](long i, long j) { sums[i] += static_cast<int>(j); });  // race: A
  return 0;
}
