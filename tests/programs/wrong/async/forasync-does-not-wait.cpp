// A forasync does not wait: the second loop reads what the first may still be writing.
// expect: race

#include <heddle/async.hpp>

int from[10], to[10];

int main() {
  heddle::finish([] {
    heddle::forasync(0, 10, [](long i) { from[i] = static_cast<int>(i); });  // race: A
    heddle::forasync(0, 10, [](long i) { to[i] = from[9 - i]; });            // race: A
  });
  return to[0] - 9;
}
