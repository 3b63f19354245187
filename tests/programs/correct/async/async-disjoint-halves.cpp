// Parent and child work on halves of one array.

#include <heddle/async.hpp>

#include <vector>

int main() {
  std::vector<int> v(64);
  heddle::finish([&] {
    heddle::async([&] {
      for (int i = 0; i < 32; ++i) v[i] = i;
    });
    for (int i = 32; i < 64; ++i) v[i] = i;
  });
  return v[63] - 63;
}
