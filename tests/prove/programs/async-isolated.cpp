// prove: proved
// classes: 6
// Three isolated blocks.
#include <heddle/async.hpp>

int sum = 0;

int main() {
  heddle::finish([] {
    for (int i = 0; i < 3; ++i)
      heddle::async([i] { heddle::isolated([i] { sum = sum * 2 + i; }); });
  });
  return sum < 0;
}
