// An ewait joins one of two tasks, and the parent reads what the other one writes.
// expect: race

#include <heddle/async.hpp>

int a, b;

int main() {
  heddle::region r;
  r.post([] { a = 1; });
  r.post([] { b = 1; });  // race: A
  r.ewait();
  int seen = b;  // race: A
  r.await();
  return seen > 1 || a != 1;
}
