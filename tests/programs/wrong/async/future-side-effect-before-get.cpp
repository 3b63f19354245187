// The side effect is read before the get().
// expect: race

#include <heddle/async.hpp>

int side;

int main() {
  int value = 0;
  heddle::finish([&] {
    auto f = heddle::async([] {
      side = 1;  // race: A
      return 2;
    });
    value = side;  // race: A
    value += f.get();
  });
  return value > 3;
}
