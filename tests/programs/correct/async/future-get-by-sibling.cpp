// A sibling asks for the future: all that its task did is before what the sibling does next.

#include <heddle/async.hpp>

int side;

int main() {
  int seen = 0;
  heddle::finish([&] {
    auto f = heddle::async([] {
      side = 1;
      return 2;
    });
    heddle::async([f, &seen] { seen = f.get() + side; });
  });
  return seen - 3;
}
