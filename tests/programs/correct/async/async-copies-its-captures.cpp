// What a task captures by value is its own: the loop variable goes on meanwhile.

#include <heddle/async.hpp>

int cells[16];

int main() {
  heddle::finish([] {
    for (int i = 0; i < 16; ++i) heddle::async([i] { cells[i] = i; });
  });
  return cells[15] - 15;
}
