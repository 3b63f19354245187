// prove: proved
// classes: 4
// assumptions: atomics spins
// A spin lock of the program's own: exchange until it was free.
#include <atomic>
#include <thread>

std::atomic<bool> taken{false};
int data = 0;

void add() {
  while (taken.exchange(true, std::memory_order_acquire)) {
  }
  ++data;
  taken.store(false, std::memory_order_release);
}

int main() {
  std::thread other(add);
  add();
  other.join();
  return data != 2;
}
