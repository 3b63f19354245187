// A reference to the mapped value is used after the accessor has been released.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_hash_map.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

using Table = tbb::concurrent_hash_map<int, int>;

static int run() {
  Table table;
  table.insert({1, 0});
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([&] {
      Table::accessor element;
      table.find(element, 1);
      int& value = element->second;
      element.release();
      ++value;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
