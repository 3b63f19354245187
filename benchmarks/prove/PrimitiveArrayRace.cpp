// Two tasks write an array of ints; their halves overlap in one element.
// verdict: race
// tasks: 3
// published: CG 5, GPR 5, PRD 220
// classes: 1

#include "prove.h"

int main() {
  int numbers[4] = {};
  heddle::finish([&] {
    heddle::async([&] {
      prove::Writes region(&numbers[0], 3 * sizeof(int));
      for (int i = 0; i <= 2; ++i) numbers[i] = 1;
    });
    heddle::async([&] {
      prove::Writes region(&numbers[2], 2 * sizeof(int));
      for (int i = 2; i < 4; ++i) numbers[i] = 2;
    });
  });
}
