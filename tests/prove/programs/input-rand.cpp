// prove: proved
// classes: 2
// assumptions: input
// The generator has one state for all: who asks first gets the first number.
#include <cstdlib>
#include <thread>

int main() {
  int numbers[2];
  std::thread one([&] { numbers[0] = std::rand(); }), two([&] { numbers[1] = std::rand(); });
  one.join();
  two.join();
  return numbers[0] == numbers[1];
}
