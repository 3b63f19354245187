// A future without a value still orders.

#include <heddle/async.hpp>

int side;

int main() {
  int seen = 0;
  heddle::finish([&] {
    heddle::future<void> f([] { side = 4; });
    f.get();
    seen = side;
  });
  return seen - 4;
}
