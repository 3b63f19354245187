// Groups of four: a group reads only what it has written itself.

#include <heddle/async.hpp>

int cells[20];

int main() {
  heddle::forall(0, 20, heddle::grouped(4), [](long i) { cells[i] = i % 4 == 0 ? 1 : cells[i - 1] + 1; });
  return cells[19] - 4;
}
