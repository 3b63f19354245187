// prove: proved
// assumptions: input
// What is read from outside is the same every time.
#include <cstdio>
#include <thread>

int main() {
  int byte = 0;
  std::thread other([&] { byte = std::fgetc(stdin); });
  other.join();
  return byte == 'x';
}
