// A task gives the address of its thread's sum to a new thread, and both add to it.
// expect: race
// workers: 1 2 8

#include <tbb/combinable.h>
#include <tbb/task_group.h>

#include <thread>

#include "../../workers.hpp"

static int run() {
  tbb::combinable<int> sums([] { return 0; });
  tbb::task_group group;
  group.run([&] {
    int& mine = sums.local();
    std::thread helper([&] {
      mine += 1;  // race: A
    });
    mine += 2;  // race: A
    helper.join();
  });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
