// Who comes first fills the table, by a loop that the others help with; all read it.
// expect: clean
// workers: 1 2 8

#include <oneapi/tbb/collaborative_call_once.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

tbb::collaborative_once_flag flag;
int table[20], sums[10];

static int run() {
  tbb::parallel_for(
      0, 10,
      [](int i) {
        tbb::collaborative_call_once(flag, [] { tbb::parallel_for(0, 20, [](int k) { table[k] = k; }); });
        for (int entry : table) sums[i] += entry;
      },
      tbb::simple_partitioner());
  return sums[9] != 190;
}

int main() { return on_workers(run); }
