// A finish waits for descendants, however deep: the value is there when it is read.

#include <heddle/async.hpp>

int value;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::async([] { heddle::async([] { value = 1; }); }); });
  });
  return value - 1;
}
