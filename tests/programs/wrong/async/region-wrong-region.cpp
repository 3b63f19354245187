// The wrong region is awaited.
// expect: race

#include <heddle/async.hpp>

int a, b;

int main() {
  heddle::region first, second;
  first.post([] { a = 1; });   // race: A
  second.post([] { b = 1; });
  second.await();
  int seen = a;  // race: A
  first.await();
  return seen > 1;
}
