// A TBB task keeps a promise to a thread, and a thread one to the main thread, which runs a loop with what it got.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <future>
#include <thread>

#include "../../workers.hpp"

int input, middle, cells[10];

static int run() {
  std::promise<void> from_task, from_thread;
  std::thread thread([&] {
    from_task.get_future().wait();
    middle = input + 1;
    from_thread.set_value();
  });
  tbb::task_group group;
  group.run([&] {
    input = 1;
    from_task.set_value();
  });
  group.wait();
  from_thread.get_future().wait();
  tbb::parallel_for(0, 10, [](int i) { cells[i] = middle + i; });
  thread.join();
  return cells[9] != 11;
}

int main() { return on_workers(run); }
