// A task updates a cell in isolation, and the initial task reads it before the finish, without.
// verdict: race
// tasks: 2
// published: (thesis, no count)
// classes: 1

#include "prove.h"

int main() {
  int cell = 0, seen = 0;
  heddle::finish([&] {
    heddle::async([&] {
      heddle::isolated([&] {
        prove::Writes region(&cell, sizeof cell);
        ++cell;
      });
    });
    prove::Reads region(&cell, sizeof cell);
    seen = cell;
  });
  bench::require(seen <= 1, "the cell");
}
