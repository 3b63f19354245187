// Two tasks add two vectors, each one half.
// verdict: clean
// tasks: 3
// published: CG 5, GPR 17, PRD 46394
// classes: 1

#include "prove.h"

int main() {
  const int a[4] = {1, 2, 3, 4}, b[4] = {4, 3, 2, 1};
  int sum[4] = {};
  heddle::finish([&] {
    for (int half = 0; half < 2; ++half)
      heddle::async([&a, &b, &sum, half] {
        prove::Reads from_a(&a[2 * half], 2 * sizeof(int));
        prove::Reads from_b(&b[2 * half], 2 * sizeof(int));
        prove::Writes to(&sum[2 * half], 2 * sizeof(int));
        for (int i = 2 * half; i < 2 * half + 2; ++i) sum[i] = a[i] + b[i];
      });
  });
  bench::require(sum[0] == 5 && sum[3] == 5, "the vector");
}
