// A task throws, and wait throws it again when all tasks have ended: the handler reads what they wrote.
// expect: clean
// workers: 1 2 8

#include <tbb/task_group.h>

#include "../../workers.hpp"

int done[10];

static int run() {
  tbb::task_group group;
  int caught = -1;
  for (int i = 0; i < 10; ++i)
    group.run([i] {
      done[i] = 1;
      if (i == 5) throw i;
    });
  try {
    group.wait();
  } catch (int thrown) {
    caught = thrown;
    for (int& one : done) one = 0;
  }
  group.run([] { done[0] = 7; });
  group.wait();
  return caught != 5 || done[0] != 7;
}

int main() { return on_workers(run); }
