// A thread of the program and a TBB task write the same variable.
// expect: race
// workers: 1 2 8

#include <tbb/task_group.h>

#include <thread>

#include "../../workers.hpp"

int value;

static int run() {
  tbb::task_group group;
  std::thread thread([] { value = 1; });  // race: A
  group.run([] { value = 2; });           // race: A
  group.wait();
  thread.join();
  return 0;
}

int main() { return on_workers(run); }
