// Words are counted in a hash map: an accessor holds the lock of its element, a const_accessor shares it.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_hash_map.h>
#include <tbb/parallel_for.h>

#include <string>

#include "../../workers.hpp"

using Table = tbb::concurrent_hash_map<std::string, int>;

static int run() {
  const char* words[] = {"warp", "weft", "heddle", "reed", "loom"};
  Table table;
  tbb::parallel_for(0, 100, [&](int i) {
    {
      Table::accessor element;
      table.insert(element, words[i % 5]);
      element->second += 1;
    }
    Table::const_accessor element;
    if (table.find(element, words[i % 3]) && element->second < 1) throw 1;
  });
  int total = 0;
  for (const auto& [word, count] : table) total += count;
  return total != 100 || table.size() != 5;
}

int main() { return on_workers(run); }
