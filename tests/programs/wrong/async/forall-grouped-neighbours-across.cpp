// Groups of four, and each reads the last element of the one before.
// expect: race

#include <heddle/async.hpp>

int cells[20];

int main() {
  heddle::forall(1, 20, heddle::grouped(4), [](long i) {
    asm volatile("" : : : "memory");  // the first read of a group stays where it is
    cells[i] = cells[i - 1] + 1;      // race: A
  });
  return 0;
}
