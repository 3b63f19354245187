// Vectors and blocks of the scalable allocator: memory that one task freed is the next one's.
// expect: clean
// workers: 1 2 8

#include <tbb/cache_aligned_allocator.h>
#include <tbb/parallel_for.h>
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>

#include <vector>

#include "../../workers.hpp"

int sums[40];

static int run() {
  tbb::parallel_for(
      0, 40,
      [](int i) {
        std::vector<int, tbb::scalable_allocator<int>> numbers;
        for (int k = 0; k < 20; ++k) numbers.push_back(i);
        std::vector<int, tbb::cache_aligned_allocator<int>> aligned(numbers.begin(), numbers.end());
        std::vector<int, tbb::tbb_allocator<int>> other(aligned.begin(), aligned.end());
        int* block = static_cast<int*>(scalable_malloc(20 * sizeof(int)));
        for (int k = 0; k < 20; ++k) block[k] = other[k];
        block = static_cast<int*>(scalable_realloc(block, 200 * sizeof(int)));
        for (int k = 0; k < 20; ++k) sums[i] += block[k];
        scalable_free(block);
      },
      tbb::simple_partitioner());
  return sums[39] != 780;
}

int main() { return on_workers(run); }
