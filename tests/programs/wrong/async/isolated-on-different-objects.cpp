// Sections that name different objects do not exclude each other, and both touch a third variable.
// expect: race

#include <heddle/async.hpp>

int a, b, shared;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::isolated(a, [] { ++shared; }); });  // race: A
    heddle::async([] { heddle::isolated(b, [] { ++shared; }); });  // race: A
  });
  return a + b;
}
