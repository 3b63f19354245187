// A queue with room for two: tasks wait until the thread at the other end has made room.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_for.h>

#include <memory>
#include <thread>

#include "../../workers.hpp"

static int run() {
  tbb::concurrent_bounded_queue<std::shared_ptr<int>> queue;
  queue.set_capacity(2);
  int sum = 0;
  std::thread consumer([&] {
    for (int taken = 0; taken < 20; ++taken) {
      std::shared_ptr<int> item;
      queue.pop(item);
      sum += *item;
    }
  });
  tbb::parallel_for(0, 20, [&](int i) { queue.push(std::make_shared<int>(i)); });
  consumer.join();
  return sum != 190;
}

int main() { return on_workers(run); }
