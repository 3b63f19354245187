// A task changes the object that it has pushed, beside the thread that pops it.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_queue.h>
#include <tbb/task_group.h>

#include <thread>

#include "../../workers.hpp"

int item, copy;

static int run() {
  tbb::concurrent_queue<int*> queue;
  std::thread consumer([&] {
    int* taken;
    while (!queue.try_pop(taken)) std::this_thread::yield();
    copy = *taken;  // race: A
  });
  tbb::task_group group;
  group.run([&] {
    queue.push(&item);
    item = 1;  // race: A
  });
  group.wait();
  consumer.join();
  return 0;
}

int main() { return on_workers(run); }
