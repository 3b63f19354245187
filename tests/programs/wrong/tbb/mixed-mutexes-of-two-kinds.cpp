// A thread holds a std::mutex and a TBB task a spin_mutex when they change the same variable.
// expect: race
// workers: 1 2 8

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include <mutex>
#include <thread>

#include "../../workers.hpp"

std::mutex standard;
tbb::spin_mutex spin;
int counter;

static int run() {
  std::thread thread([] {
    std::lock_guard lock(standard);
    ++counter;  // race: A
  });
  tbb::task_group group;
  group.run([] {
    tbb::spin_mutex::scoped_lock lock(spin);
    ++counter;  // race: A
  });
  group.wait();
  thread.join();
  return 0;
}

int main() { return on_workers(run); }
