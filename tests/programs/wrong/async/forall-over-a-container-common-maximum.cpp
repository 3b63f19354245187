// Each element is compared with one maximum.
// expect: race

#include <heddle/async.hpp>

#include <vector>

int maximum;

int main() {
  std::vector<int> v = {3, 1, 4, 1, 5};
  heddle::forall(v, [](int x) {
    if (x > maximum) maximum = x;  // race: A
  });
  return 0;
}
