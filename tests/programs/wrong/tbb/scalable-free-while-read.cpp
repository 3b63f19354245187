// One task frees a block of the scalable allocator that the other one reads.
// expect: race
// workers: 1 2 8

#include <tbb/scalable_allocator.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

static void use(int seen) { asm volatile("" : : "r"(seen)); }

static int run() {
  int* block = static_cast<int*>(scalable_malloc(64 * sizeof(int)));
  block[5] = 1;
  tbb::task_group group;
  group.run([=] { use(block[5]); });         // race: A
  group.run([=] { scalable_free(block); });  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
