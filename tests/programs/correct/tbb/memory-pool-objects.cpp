// Objects of a growing pool and of one in a buffer of the program, given back and used again by other tasks.
// expect: clean
// workers: 1 2 8

#define TBB_PREVIEW_MEMORY_POOL 1
#include <tbb/memory_pool.h>
#include <tbb/parallel_for.h>

#include <list>
#include <memory>

#include "../../workers.hpp"

int sums[30];
alignas(64) static char buffer[1 << 20];

static int run() {
  tbb::memory_pool<std::allocator<char>> pool;
  tbb::fixed_pool fixed(buffer, sizeof buffer);
  tbb::parallel_for(
      0, 30,
      [&](int i) {
        int* block = static_cast<int*>(pool.malloc(16 * sizeof(int)));
        for (int k = 0; k < 16; ++k) block[k] = i;
        int* other = static_cast<int*>(fixed.malloc(16 * sizeof(int)));
        for (int k = 0; k < 16; ++k) other[k] = block[k];
        pool.free(block);
        using Allocator = tbb::memory_pool_allocator<int>;
        std::list<int, Allocator> list{Allocator(pool)};
        for (int k = 0; k < 16; ++k) list.push_back(other[k]);
        fixed.free(other);
        for (int element : list) sums[i] += element;
      },
      tbb::simple_partitioner());
  return sums[29] != 464;
}

int main() { return on_workers(run); }
