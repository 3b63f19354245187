// Memory that tasks allocate and free is reused by others: that is no race.

#include <heddle/async.hpp>

#include <vector>

int main() {
  long sums[16] = {};
  heddle::forall(0, 16, [&](long i) {
    std::vector<long> mine(100, i);
    for (long x : mine) sums[i] += x;
  });
  return sums[15] - 1500 != 0;
}
