// Two tasks change the first element.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_vector.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

static int run() {
  tbb::concurrent_vector<int> numbers(4, 0);
  tbb::task_group group;
  group.run([&] {
    numbers[0] += 1;  // race: A
  });
  group.run([&] {
    numbers.front() += 2;  // race: A
  });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
