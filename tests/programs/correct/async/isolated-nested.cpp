// An inner section that asks for no more than the outer one is part of it.

#include <heddle/async.hpp>

int a, b;

int main() {
  heddle::forall(0, 4, [](long) {
    heddle::isolated(a, b, [] { heddle::isolated(a, [] { ++a; }); });
    heddle::isolated([] { heddle::isolated(b, [] { ++b; }); });
  });
  return a + b - 8;
}
