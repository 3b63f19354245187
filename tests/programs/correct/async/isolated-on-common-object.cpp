// Sections that share an object exclude each other, whatever else they name.

#include <heddle/async.hpp>

int a, b, c;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::isolated(a, b, [] { ++a, ++b; }); });
    heddle::async([] { heddle::isolated(b, c, [] { ++b, ++c; }); });
    heddle::async([] { heddle::isolated(c, a, [] { ++c, ++a; }); });
  });
  return a + b + c - 6;
}
