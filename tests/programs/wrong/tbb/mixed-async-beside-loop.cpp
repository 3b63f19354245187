// std::async runs a function beside a TBB loop; its result is taken after the loop has read what it writes.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include <future>

#include "../../workers.hpp"

int factor, cells[10];

static int run() {
  auto later = std::async(std::launch::async, [] { factor = 2; });  // race: A
  tbb::parallel_for(0, 10, [](int i) {
    cells[i] = i * factor;  // race: A
  });
  later.get();
  return 0;
}

int main() { return on_workers(run); }
