// After an ewait only what its handler was given is used, and the rest after await.

#include <heddle/async.hpp>

int cells[3];

int main() {
  heddle::region r;
  int first = -1, sum = 0;
  for (int i = 0; i < 3; ++i)
    r.post(
        [i] {
          cells[i] = 1;
          return i;
        },
        [&](int value) {
          if (first < 0) first = value;
          sum += value;
        });
  r.ewait();
  r.await();
  return sum - 3 + cells[first] - 1;
}
