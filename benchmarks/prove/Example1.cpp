// The example of the paper (its figure 1): a race only if the section of the task comes before that of the initial
// task.
// verdict: race
// tasks: 2
// published: CG 2 (computation graphs)
// classes: 1

#include "prove.h"

int main() {
  int g = 0;
  heddle::finish([&] {
    heddle::async([&] {
      heddle::isolated([] {});
      prove::Writes region(&g, sizeof g);
      g = 2;
    });
    heddle::isolated([&] {
      prove::Writes region(&g, sizeof g);
      g = 1;
    });
  });
}
