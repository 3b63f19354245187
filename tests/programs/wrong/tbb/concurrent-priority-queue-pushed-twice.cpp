// The same job is in the queue twice: two tasks take it.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_priority_queue.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int runs;

static int run() {
  tbb::concurrent_priority_queue<int*> queue;
  queue.push(&runs);
  queue.push(&runs);
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([&] {
      int* taken;
      if (queue.try_pop(taken))
        *taken += 1;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
