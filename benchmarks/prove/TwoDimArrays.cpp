// A table of ten rows, a task for each.
// verdict: clean
// tasks: 11
// published: CG 15, GPR 15, PRD 597 (a race, wrongly)
// classes: 1

#include "prove.h"

int main() {
  int table[10][3] = {};
  heddle::finish([&] {
    for (int i = 0; i < 10; ++i)
      heddle::async([&table, i] {
        prove::Writes region(table[i], sizeof table[i]);
        for (int& cell : table[i]) cell = i;
      });
  });
  bench::require(table[9][2] == 9, "the last cell");
}
