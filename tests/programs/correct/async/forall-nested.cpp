// A forall in each iteration of another.

#include <heddle/async.hpp>

int cells[4][4];

int main() {
  heddle::forall(0, 4, [](long i) {
    heddle::forall(0, 4, [i](long j) { cells[i][j] = 1; });
    cells[i][0] += cells[i][3];
  });
  return cells[3][0] - 2;
}
