// Tickets from an isolated counter are different, so each task has an element of its own.

#include <heddle/async.hpp>

int next, cells[8];

int main() {
  heddle::forall(0, 8, [](long) {
    int mine = heddle::isolated([] { return next++; });
    cells[mine] = 1;
  });
  int sum = 0;
  for (int cell : cells) sum += cell;
  return sum - 8;
}
