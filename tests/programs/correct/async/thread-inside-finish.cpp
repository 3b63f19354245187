// Threads of the program use the header, too: each has a finish of its own.

#include <heddle/async.hpp>

#include <thread>

int cells[8];

int main() {
  std::thread one([] { heddle::forall(0, 4, [](long i) { cells[i] = 1; }); });
  std::thread two([] { heddle::forall(4, 8, [](long i) { cells[i] = 1; }); });
  one.join();
  two.join();
  return cells[0] + cells[7] - 2;
}
