// A finish inside a task orders its own tasks, not the sibling beside it.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  heddle::finish([] {
    heddle::async([] {
      heddle::finish([] { heddle::async([] { value = 1; }); });  // race: A
    });
    heddle::async([] { value = 2; });  // race: A
  });
  return value > 2;
}
