// After get() both the value and what the task wrote are there.

#include <heddle/async.hpp>

int side;

int main() {
  int value = 0;
  heddle::finish([&] {
    auto f = heddle::async([] {
      side = 1;
      return 2;
    });
    value = f.get() + side;
  });
  return value - 3;
}
