// One task isolates its update, the other does not.
// expect: race

#include <heddle/async.hpp>

int count;

int main() {
  heddle::finish([] {
    heddle::async([] { heddle::isolated([] { ++count; }); });  // race: A
    heddle::async([] { ++count; });                            // race: A
  });
  return count > 2;
}
