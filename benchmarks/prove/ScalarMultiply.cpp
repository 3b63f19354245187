// Two tasks multiply half a vector each by a number that both read.
// verdict: clean
// tasks: 3
// published: CG 15, GPR 55712, PRD 826 (a race, wrongly)
// classes: 1

#include "prove.h"

int main() {
  int factor = 3, vector[6] = {1, 2, 3, 4, 5, 6};
  heddle::finish([&] {
    for (int half = 0; half < 2; ++half)
      heddle::async([&factor, &vector, half] {
        for (int i = 3 * half; i < 3 * half + 3; ++i) {
          prove::Reads from(&factor, sizeof factor);
          prove::Writes to(&vector[i], sizeof(int));
          vector[i] *= factor;
        }
      });
  });
  bench::require(vector[5] == 18, "the last component");
}
