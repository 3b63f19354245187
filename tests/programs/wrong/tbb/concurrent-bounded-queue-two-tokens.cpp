// A queue with a token for each of the tasks keeps nobody out.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_queue.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int counter;

static int run() {
  tbb::concurrent_bounded_queue<char> tokens;
  tokens.push('a');
  tokens.push('b');
  tbb::task_group group;
  for (int i = 0; i < 2; ++i)
    group.run([&] {
      char mine;
      tokens.pop(mine);
      ++counter;  // race: A
    });
  group.wait();
  return 0;
}

int main() { return on_workers(run); }
