// The value is shared by all who ask for it, and two of them change what it points to.
// expect: race

#include <heddle/async.hpp>

int main() {
  int target = 0;
  heddle::finish([&] {
    auto pointer = heddle::async([&target] { return &target; });
    heddle::async([pointer] { *pointer.get() = 1; });  // race: A
    heddle::async([pointer] { *pointer.get() = 2; });  // race: A
  });
  return target > 2;
}
