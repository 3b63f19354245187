// Of stores to adjacent members, one races: it is reported at its own line, though the compiler could merge them.
// expect: race

#include <thread>

struct Colour {
  unsigned char red, green, blue, alpha;
};
Colour colour;
int sum;

int main() {
  std::thread writer([] {
    colour.red = 1;
    colour.green = 2;
    colour.blue = 3;  // race: A
    colour.alpha = 4;
  });
  sum += colour.blue;  // race: A
  writer.join();
  return sum == 77;
}
