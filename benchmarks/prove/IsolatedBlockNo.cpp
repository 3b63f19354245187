// Five tasks add up a part alone and then put it into the total with one isolated block each: 5! orders.
// verdict: clean
// tasks: 6
// published: (thesis, no count)
// classes: 120

#include "prove.h"

int main() {
  int numbers[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, total = 0;
  heddle::forall(0, 5, [&](long task) {
    int sum = 0;
    {
      prove::Reads region(&numbers[2 * task], 2 * sizeof(int));
      sum = numbers[2 * task] + numbers[2 * task + 1];
    }
    heddle::isolated([&] {
      prove::Writes region(&total, sizeof total);
      total += sum;
    });
  });
  bench::require(total == 10, "the total");
}
