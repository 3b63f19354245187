// Recursive sums; each level has a finish.

#include <heddle/async.hpp>

#include <numeric>
#include <vector>

long sum(const std::vector<long>& v, long from, long to) {
  if (to - from < 8) return std::accumulate(v.begin() + from, v.begin() + to, 0L);
  long left = 0, right = 0, middle = (from + to) / 2;
  heddle::finish([&] {
    heddle::async([&] { left = sum(v, from, middle); });
    right = sum(v, middle, to);
  });
  return left + right;
}

int main() {
  std::vector<long> v(128, 1);
  return sum(v, 0, 128) != 128;
}
