// The parent reads what its child writes before the finish ends.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  int seen = 0;
  heddle::finish([&] {
    heddle::async([] { value = 1; });  // race: A
    seen = value;                      // race: A
  });
  return seen > 1;
}
