// All tasks of the region are before what follows await; handlers run in the parent.

#include <heddle/async.hpp>

int cells[6];

int main() {
  heddle::region r;
  int sum = 0;
  for (int i = 0; i < 6; ++i)
    r.post(
        [i] {
          cells[i] = i;
          return i;
        },
        [&sum](int value) { sum += value; });
  r.await();
  for (int cell : cells) sum -= cell;
  return sum;
}
