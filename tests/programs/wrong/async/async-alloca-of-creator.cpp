// A task runs on top of the frames of its creator, and writes into what alloca gave that. So does the creator, which
// has not waited.
// expect: race

#include <alloca.h>

#include <heddle/async.hpp>

volatile int size = 500;

int main() {
  char* bytes = static_cast<char*>(alloca(static_cast<unsigned>(size)));
  heddle::finish([bytes] {
    heddle::async([bytes] { bytes[5] = 1; });  // race: A
    bytes[5] = 2;                              // race: A
  });
  return bytes[5] == 0;
}
