// The inner finish waits for the child only as far as its own tasks go: the grandchild belongs to a task made before
// it.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  int seen = 0;
  heddle::finish([&] {
    heddle::async([] { heddle::async([] { value = 1; }); });  // race: A
    heddle::finish([] {});
    seen = value;  // race: A
  });
  return seen > 1;
}
