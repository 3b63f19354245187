// Two tasks update a cell, one of them in isolation, the other without.
// verdict: race
// tasks: 3
// published: (thesis, no count)
// classes: 1

#include "prove.h"

int main() {
  int cell = 0;
  const auto update = [&] {
    prove::Writes region(&cell, sizeof cell);
    ++cell;
  };
  heddle::finish([&] {
    heddle::async([&] { heddle::isolated(update); });
    heddle::async(update);
  });
}
