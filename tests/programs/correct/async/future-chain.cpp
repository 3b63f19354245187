// A pipeline: each stage asks for the one before.

#include <heddle/async.hpp>

#include <vector>

int stages[8];

int main() {
  heddle::finish([] {
    heddle::future<int> before;
    for (int i = 0; i < 8; ++i)
      before = heddle::async([i, before] {
        stages[i] = i == 0 ? 1 : before.get() + stages[i - 1];
        return stages[i];
      });
  });
  return stages[7] - 128;
}
