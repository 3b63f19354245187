// Two siblings write one variable; they run one after the other here, and in any order elsewhere.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  heddle::finish([] {
    heddle::async([] { value = 1; });  // race: A
    heddle::async([] { value = 2; });  // race: A
  });
  return value > 2;
}
