// Tasks make objects and push them; a thread pops each, reads it and deletes it.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_for.h>

#include <thread>

#include "../../workers.hpp"

static int run() {
  tbb::concurrent_queue<int*> queue;
  int sum = 0;
  std::thread consumer([&] {
    for (int taken = 0; taken < 30;) {
      int* item;
      if (queue.try_pop(item)) {
        sum += *item;
        delete item;
        ++taken;
      } else {
        std::this_thread::yield();
      }
    }
  });
  tbb::parallel_for(0, 30, [&](int i) { queue.push(new int(i)); });
  consumer.join();
  return sum != 435;
}

int main() { return on_workers(run); }
