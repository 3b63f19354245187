// Tasks get the same memory from alloca, one after the other, on top of the frames of a creator that has its own. Each
// passes it to tasks, and waits for these.
// expect: clean

#include <alloca.h>

#include <heddle/async.hpp>

volatile int size = 500;
int sums[8];

int main() {
  int* own = static_cast<int*>(alloca(static_cast<unsigned>(size)));
  heddle::finish([own] {
    for (int i = 0; i < 8; ++i)
      heddle::async([own, i] {
        own[i] = i;
        int* memory = static_cast<int*>(alloca(static_cast<unsigned>(size)));
        heddle::finish([memory, i] {
          heddle::async([memory, i] { memory[1] = i; });
          heddle::async([memory, i] { memory[2] = i; });
        });
        sums[i] = memory[1] + memory[2];
      });
  });
  return own[7] + sums[7] != 21;
}
