// Every iteration throws and catches, and leaves what it caught in one variable.
// expect: race
// workers: 1 2 8

#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int last_error;

static int run() {
  tbb::parallel_for(
      0, 8,
      [](int i) {
        try {
          throw i;
        } catch (int error) {
          last_error = error;  // race: A
        }
      },
      tbb::simple_partitioner());
  return 0;
}

int main() { return on_workers(run); }
