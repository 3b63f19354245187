// Tasks of two finishes, one after the other, are ordered.

#include <heddle/async.hpp>

int value;

int main() {
  heddle::finish([] { heddle::async([] { value = 1; }); });
  heddle::finish([] { heddle::async([] { ++value; }); });
  return value - 2;
}
