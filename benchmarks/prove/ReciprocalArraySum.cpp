// The sum of the reciprocals of an array: a task adds one half to the sum, the initial task the other, at the same
// time.
// verdict: race
// tasks: 2
// published: CG 4, GPR 32, PRD -
// classes: 1

#include "prove.h"

int main() {
  const double numbers[] = {1, 2, 4, 8};
  double sum = 0;
  const auto add = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      prove::Writes region(&sum, sizeof sum);
      sum += 1 / numbers[i];
    }
  };
  heddle::finish([&] {
    heddle::async([&] { add(0, 2); });
    add(2, 4);
  });
}
