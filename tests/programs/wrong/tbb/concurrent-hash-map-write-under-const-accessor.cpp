// Two tasks hold the element as readers, and count in a mutable member of it.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_hash_map.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

struct Entry {
  int value = 0;
  mutable int uses = 0;
};
using Table = tbb::concurrent_hash_map<int, Entry>;

static int run() {
  Table table;
  table.insert({1, Entry()});
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([&] {
      Table::const_accessor element;
      table.find(element, 1);
      ++element->second.uses;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
