// Tasks one after the other, with large captures, frames and heap blocks: their memory is used again by tasks that
// are not ordered.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include <array>
#include <memory>

#include "../../workers.hpp"

int sums[40];

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 40; ++i) {
    std::array<int, 32> captured{};
    captured[i % 32] = i;
    group.run([i, captured] {
      int frame[64];
      auto heap = std::make_unique<int[]>(64);
      for (int k = 0; k < 32; ++k) frame[k] = captured[k] + k, heap[k] = frame[k];
      int* volatile escaped = frame;
      for (int k = 0; k < 32; ++k) sums[i] += escaped[k] + heap[k];
    });
  }
  group.wait();
  return sums[10] != 2 * (496 + 10);
}

int main() { return on_workers(run); }
