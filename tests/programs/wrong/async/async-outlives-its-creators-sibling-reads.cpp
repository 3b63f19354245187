// A sibling of the creator reads what the grandchild writes.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::async([] { value = 7; }); });  // race: A
    heddle::async([] {
      int seen = value;  // race: A
      asm volatile("" : : "r"(seen));
    });
  });
  return value - 7;
}
