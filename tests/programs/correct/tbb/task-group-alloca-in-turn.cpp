// Tasks that one worker runs in turn get the same memory from alloca. Each passes it to tasks of its own, and waits.
// expect: clean
// workers: 1 2 8

#include <alloca.h>
#include <tbb/task_group.h>

#include <atomic>

#include "../../workers.hpp"

volatile int size = 3000;
std::atomic<int> total;

__attribute__((noinline)) static int with_tasks(int number) {
  char* memory = static_cast<char*>(alloca(static_cast<unsigned>(size)));
  tbb::task_group group;
  group.run([memory, number] {
    for (int i = 0; i < 1500; ++i) memory[i] = static_cast<char>(number);
  });
  group.run([memory] {
    for (int i = 1500; i < 3000; ++i) memory[i] = 1;
  });
  group.wait();
  return memory[0] + memory[2999];
}

static int run() {
  tbb::task_group group;
  for (int i = 0; i < 16; ++i)
    group.run([i] { total.fetch_add(with_tasks(i), std::memory_order_relaxed); });
  group.wait();
  return total != 136;
}

int main() { return on_workers(run); }
