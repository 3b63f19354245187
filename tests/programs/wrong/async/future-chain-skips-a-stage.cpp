// A stage asks for the stage before the last, and reads the last one.
// expect: race

#include <heddle/async.hpp>

#include <vector>

int stages[8];

int main() {
  heddle::finish([] {
    std::vector<heddle::future<int>> made;
    for (int i = 0; i < 8; ++i) {
      heddle::future<int> before = i < 2 ? heddle::future<int>() : made[i - 2];
      made.push_back(heddle::async([i, before] {
        if (before.valid()) before.get();
        stages[i] = i == 0 ? 1 : stages[i - 1] + 1;  // race: A
        return i;
      }));
    }
  });
  return 0;
}
