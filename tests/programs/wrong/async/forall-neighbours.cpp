// An iteration reads what the one before it writes.
// expect: race

#include <heddle/async.hpp>

int cells[20];

int main() {
  heddle::forall(1, 20, [](long i) { cells[i] = cells[i - 1] + 1; });  // race: A
  return 0;
}
