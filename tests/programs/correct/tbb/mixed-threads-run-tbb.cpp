// Threads of the program run TBB loops and groups, and are joined; a std::mutex is held by tasks and threads.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <mutex>
#include <thread>

#include "../../workers.hpp"

std::mutex mutex;
int cells[2][20], counter;

static int run() {
  auto count = [] {
    std::lock_guard lock(mutex);
    ++counter;
  };
  std::thread threads[2];
  for (int t = 0; t < 2; ++t)
    threads[t] = std::thread([t, count] {
      tbb::parallel_for(0, 20, [=](int i) {
        cells[t][i] = i;
        count();
      });
    });
  tbb::task_group group;
  group.run(count);
  count();
  group.wait();
  for (std::thread& thread : threads) thread.join();
  return cells[1][19] != 19 || counter != 42;
}

int main() { return on_workers(run); }
