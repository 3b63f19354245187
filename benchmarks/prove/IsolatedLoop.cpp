// Two tasks with a loop of three turns each, every turn an isolated update of one cell: 6! / (3! 3!) = 20 orders.
// verdict: clean
// tasks: 3
// published: (thesis, no count)
// classes: 20

#include "prove.h"

int main() {
  prove::Counter turns;
  heddle::forall(0, 2, [&](long) {
    for (int turn = 0; turn < 3; ++turn) turns.count();
  });
  bench::require(turns.value == 6, "the counter");
}
