// The parent reads before it joins.
// expect: race

#include <heddle/async.hpp>

int value;

int main() {
  heddle::region r;
  r.post([] { value = 1; });  // race: A
  int seen = value;           // race: A
  r.await();
  return seen > 1;
}
