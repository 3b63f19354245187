// The update is isolated, the look at the result is not.
// expect: race

#include <heddle/async.hpp>

int count;

int main() {
  int seen = 0;
  heddle::finish([&] {
    heddle::async([] { heddle::isolated([] { ++count; }); });  // race: A
    seen = count;                                              // race: A
  });
  return seen > 1;
}
