// Enqueued functions tell by an atomic variable that they are through.
// expect: clean
// workers: 1 2 8

#include <tbb/task_arena.h>

#include <atomic>
#include <thread>

#include "../../workers.hpp"

int parts[4];
std::atomic<int> through;

static int run() {
  tbb::task_arena arena(2);
  for (int i = 0; i < 4; ++i)
    arena.enqueue([i] {
      parts[i] = i;
      through.fetch_add(1, std::memory_order_release);
    });
  while (through.load(std::memory_order_acquire) != 4) std::this_thread::yield();
  return parts[0] + parts[1] + parts[2] + parts[3] != 6;
}

int main() { return on_workers(run); }
