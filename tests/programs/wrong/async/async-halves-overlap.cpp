// The halves share an element.
// expect: race

#include <heddle/async.hpp>

#include <vector>

int main() {
  std::vector<int> v(64);
  heddle::finish([&] {
    heddle::async([&] {
      for (int i = 0; i <= 32; ++i) v[i] = i;  // race: A
    });
    for (int i = 32; i < 64; ++i) v[i] = i;  // race: A
  });
  return v[63] - 63;
}
