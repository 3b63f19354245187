// prove: crash
// Which of two threads gets the first random number is open.
#include <cassert>
#include <cstdlib>
#include <thread>

int main() {
  std::srand(1);
  const int first = std::rand();
  std::srand(1);
  std::thread one([=] { assert(std::rand() == first); }), two([] { std::rand(); });
  one.join();
  two.join();
}
