// One sibling asks for the future, the other does not and reads all the same.
// expect: race

#include <heddle/async.hpp>

int side;

int main() {
  heddle::finish([&] {
    auto f = heddle::async([] {
      side = 1;  // race: A
      return 2;
    });
    heddle::async([f] { f.get(); });
    heddle::async([] {
      int seen = side;  // race: A
      asm volatile("" : : "r"(seen));
    });
  });
  return 0;
}
