// Two tasks add up half an array each; the halves of the sum are added after the finish.
// verdict: clean
// tasks: 3
// published: CG 11, GPR 62374, PRD 4930 (a race, wrongly)
// classes: 1

#include "prove.h"

int main() {
  const int numbers[6] = {1, 2, 3, 4, 5, 6};
  int sums[2] = {};
  heddle::finish([&] {
    for (int half = 0; half < 2; ++half)
      heddle::async([&numbers, &sums, half] {
        for (int i = 3 * half; i < 3 * half + 3; ++i) {
          prove::Reads from(&numbers[i], sizeof(int));
          prove::Writes to(&sums[half], sizeof(int));
          sums[half] += numbers[i];
        }
      });
  });
  bench::require(sums[0] + sums[1] == 21, "the sum");
}
