// prove: crash
// Who initialises a local static is whoever comes first.
#include <cassert>
#include <thread>

int numbered(int who) {
  static const int first = who;
  return first;
}

int main() {
  std::thread one([] { numbered(1); }), two([] { assert(numbered(2) == 1); });
  one.join();
  two.join();
}
