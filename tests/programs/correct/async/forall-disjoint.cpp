// Each iteration has an element.

#include <heddle/async.hpp>

int cells[20];

int main() {
  heddle::forall(0, 20, [](long i) { cells[i] = static_cast<int>(i); });
  return cells[19] - 19;
}
