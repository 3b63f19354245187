// A sum for each thread, combined when the loop is over.
// expect: clean
// workers: 1 2 8

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <functional>
#include <vector>

#include "../../workers.hpp"

static int run() {
  tbb::enumerable_thread_specific<int> sums(0);
  tbb::enumerable_thread_specific<std::vector<int>> lists;
  tbb::parallel_for(0, 100, [&](int i) {
    sums.local() += i;
    lists.local().push_back(i);
  });
  std::size_t elements = 0;
  for (const std::vector<int>& list : lists) elements += list.size();
  return sums.combine(std::plus<int>()) != 4950 || elements != 100;
}

int main() { return on_workers(run); }
