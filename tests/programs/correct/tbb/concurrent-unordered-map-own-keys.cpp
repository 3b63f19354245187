// Each iteration inserts a key of its own and looks for others, whose values it only compares.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_unordered_map.h>
#include <tbb/concurrent_unordered_set.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

static int run() {
  tbb::concurrent_unordered_map<int, int> squares;
  tbb::concurrent_unordered_set<int> seen;
  tbb::parallel_for(0, 60, [&](int i) {
    squares.insert({i, i * i});
    auto other = squares.find((i + 7) % 60);
    if (other != squares.end() && other->second != other->first * other->first) throw 1;
    seen.insert(i % 10);
  });
  return squares.size() != 60 || seen.size() != 10 || squares[59] != 3481;
}

int main() { return on_workers(run); }
