// Two tasks write the same element of a vector of the scalable allocator.
// expect: race
// workers: 1 2 8

#include <tbb/scalable_allocator.h>
#include <tbb/task_group.h>

#include <vector>

#include "../../workers.hpp"

static int run() {
  std::vector<int, tbb::scalable_allocator<int>> numbers(8);
  int* first = numbers.data();
  tbb::task_group group;
  group.run([=] { first[3] = 1; });  // race: A
  group.run([=] { first[3] = 2; });  // race: A
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
