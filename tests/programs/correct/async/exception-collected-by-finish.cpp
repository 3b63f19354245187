// The finish waits for all tasks, then throws: what they wrote is there.

#include <heddle/async.hpp>

int cells[4];

int main() {
  try {
    heddle::finish([] {
      for (int i = 0; i < 4; ++i)
        heddle::async([i] {
          cells[i] = i;
          if (i % 2) throw i;
        });
    });
  } catch (const heddle::multiple_exceptions& several) {
    return static_cast<int>(several.exceptions().size()) - 2 + cells[3] - 3;
  }
  return 1;
}
