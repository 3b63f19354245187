// Ordered containers: insertions from many tasks, and a walk in order when they are through.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_map.h>
#include <tbb/concurrent_set.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

static int run() {
  tbb::concurrent_map<int, int> map;
  tbb::concurrent_set<int> set;
  tbb::parallel_for(0, 60, [&](int i) {
    map.emplace(i * 7 % 60, i);
    set.insert(i % 12);
    if (!map.contains(i * 7 % 60)) throw 1;
  });
  int expected = 0;
  for (const auto& [key, value] : map)
    if (key != expected++ || value * 7 % 60 != key) return 1;
  return expected != 60 || set.size() != 12;
}

int main() { return on_workers(run); }
