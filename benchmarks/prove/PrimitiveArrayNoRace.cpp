// Two tasks write an array of ints, each its half.
// verdict: clean
// tasks: 3
// published: CG 5, GPR 5, PRD 11852
// classes: 1

#include "prove.h"

int main() {
  int numbers[4] = {};
  heddle::finish([&] {
    heddle::async([&] {
      prove::Writes region(&numbers[0], 2 * sizeof(int));
      for (int i = 0; i < 2; ++i) numbers[i] = 1;
    });
    heddle::async([&] {
      prove::Writes region(&numbers[2], 2 * sizeof(int));
      for (int i = 2; i < 4; ++i) numbers[i] = 2;
    });
  });
  bench::require(numbers[0] + numbers[3] == 3, "the array");
}
