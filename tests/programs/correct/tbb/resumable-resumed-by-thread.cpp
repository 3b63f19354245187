// A task suspends itself until a thread of the program has made its input.
// expect: clean
// workers: 1 2 8

#include <tbb/task.h>
#include <tbb/task_group.h>

#include <future>
#include <thread>

#include "../../workers.hpp"

int request, answer, result;

static int run() {
  std::promise<tbb::task::suspend_point> suspended;
  std::thread server([&] {
    tbb::task::suspend_point point = suspended.get_future().get();
    answer = request + 1;
    tbb::task::resume(point);
  });
  tbb::task_group group;
  group.run([&] {
    request = 41;
    tbb::task::suspend([&](tbb::task::suspend_point point) { suspended.set_value(point); });
    result = answer;
  });
  group.wait();
  server.join();
  return result != 42;
}

int main() { return on_workers(run); }
