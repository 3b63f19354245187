// The thread resumes the task first and writes the task's input then.
// expect: race
// workers: 1 2 8

#include <tbb/task.h>
#include <tbb/task_group.h>

#include <future>
#include <thread>

#include "../../workers.hpp"

int answer, result;

static int run() {
  std::promise<tbb::task::suspend_point> suspended;
  std::thread server([&] {
    tbb::task::suspend_point point = suspended.get_future().get();
    tbb::task::resume(point);
    answer = 42;  // race: A
  });
  tbb::task_group group;
  group.run([&] {
    tbb::task::suspend([&](tbb::task::suspend_point point) { suspended.set_value(point); });
    result = answer;  // race: A
  });
  group.wait();
  server.join();
  return 0;
}

int main() { return on_workers(run); }
