// The tasks refer to the loop variable, which the loop changes while they may run.
// expect: race

#include <heddle/async.hpp>

long sum;

int main() {
  int i = 0;
  heddle::finish([&i] {
    for (; i < 4; ++i) {                                              // race: A
      heddle::async([&i] { asm volatile("" : : "r"(i) : "memory"); });  // race: A
    }
  });
  return sum;
}
