// The map may be used by many, but its values are not protected: two tasks add to the same one.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_unordered_map.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

static int run() {
  tbb::concurrent_unordered_map<int, int> counts;
  counts.insert({1, 0});
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([&] {
      counts.find(1)->second += 1;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
