// A body that throws does not end the other task: both have written.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  try {
    heddle::finish([] {
      heddle::async([] { value = 1; });  // race: A
      value = 2;                         // race: A
      throw 1;
    });
  } catch (int) {
  }
  return value > 2;
}
