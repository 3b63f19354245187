// A task that outlives its creator is still joined by the finish around both.

#include <heddle/async.hpp>

int value;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::async([] { value = 7; }); });
    heddle::async([] {});
  });
  return value - 7;
}
