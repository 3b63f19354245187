// Isolated sections exclude each other.

#include <heddle/async.hpp>

int count;

int main() {
  heddle::finish([] {
    for (int i = 0; i < 8; ++i) heddle::async([] { heddle::isolated([] { ++count; }); });
  });
  return count - 8;
}
