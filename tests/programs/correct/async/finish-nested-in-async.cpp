// A task waits for its own tasks with a finish of its own, while its siblings go on.

#include <heddle/async.hpp>

int left[2], right[2];

int main() {
  heddle::finish([] {
    heddle::async([] {
      heddle::finish([] { heddle::async([] { left[0] = 1; }); });
      left[1] = left[0];
    });
    heddle::async([] {
      heddle::finish([] { heddle::async([] { right[0] = 1; }); });
      right[1] = right[0];
    });
  });
  return left[1] + right[1] - 2;
}
