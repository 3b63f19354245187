// Four tasks, each updating a cell of its own in isolation: no two sections conflict, so all 4! orders are one class.
// (Ordered for the sake of mutual exclusion alone they would be 24.)
// verdict: clean
// tasks: 5
// published: (thesis, no count)
// classes: 1

#include "prove.h"

int main() {
  int cells[4] = {};
  heddle::forall(0, 4, [&](long i) {
    heddle::isolated([&] {
      prove::Writes region(&cells[i], sizeof(int));
      ++cells[i];
    });
  });
  bench::require(cells[0] + cells[3] == 2, "the cells");
}
