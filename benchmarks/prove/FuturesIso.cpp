// Futures add to a cell in isolation and return what they added; the last of them does without it.
// verdict: race
// tasks: 5
// published: (thesis, no count)
// classes: 1

#include "prove.h"

int main() {
  int cell = 0, added = 0;
  const auto add = [&](int amount) {
    prove::Writes region(&cell, sizeof cell);
    cell += amount;
    return amount;
  };
  heddle::finish([&] {
    heddle::future<int> futures[4];
    for (int i = 0; i < 3; ++i)
      futures[i] = heddle::async([&add, i] { return heddle::isolated([&] { return add(i); }); });
    futures[3] = heddle::async([&add] { return add(3); });
    for (const auto& future : futures) added += future.get();
  });
  bench::require(added == 6, "what was added");
}
