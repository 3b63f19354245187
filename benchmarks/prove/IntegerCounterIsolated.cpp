// Nine tasks look at a number each; those with an even one add to a counter in isolation. Four sections that conflict
// with each other have 4! orders. (With all nine counting there would be 9! = 362880; the published states are after
// the merging of equal ones, which executions cannot do, so the data were chosen to stay within the published
// number.)
// verdict: clean
// tasks: 10
// published: CG 24, GPR 1013102, PRD -
// classes: 24

#include "prove.h"

int main() {
  prove::Counter even;
  heddle::finish([&] {
    for (int number = 1; number <= 9; ++number)
      heddle::async([&even, number] {
        if (number % 2 == 0) even.count();
      });
  });
  bench::require(even.value == 4, "the counter");
}
