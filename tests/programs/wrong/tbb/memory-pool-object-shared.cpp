// Two tasks write an object of a pool.
// expect: race
// workers: 1 2 8

#define TBB_PREVIEW_MEMORY_POOL 1
#include <tbb/memory_pool.h>
#include <tbb/task_group.h>

#include <memory>

#include "../../workers.hpp"

static int run() {
  tbb::memory_pool<std::allocator<char>> pool;
  int* object = static_cast<int*>(pool.malloc(sizeof(int)));
  tbb::task_group group;
  group.run([=] { *object = 1; });  // race: A
  group.run([=] { *object = 2; });  // race: A
  group.wait();
  pool.free(object);
  return 0;
}

int main() { return on_workers(run); }
