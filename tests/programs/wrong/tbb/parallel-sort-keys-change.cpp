// Indices are sorted by a table of keys, which another function writes meanwhile (what is there already: the order
// stays one).
// expect: race
// workers: 1 2 8

#include <tbb/parallel_invoke.h>
#include <tbb/parallel_sort.h>

#include <vector>

#include "../../workers.hpp"

int keys[1000];

static int run() {
  std::vector<int> indices(1000);
  for (int i = 0; i < 1000; ++i) indices[i] = i, keys[i] = i * 77 % 1000;
  tbb::parallel_invoke(
      [&] {
        tbb::parallel_sort(indices.begin(), indices.end(), [](int a, int b) {
          return keys[a] < keys[b];  // race: A
        });
      },
      [] {
        keys[500] = 500;  // race: A
      });
  return 0;
}

int main() { return on_workers(run); }
