// Two tasks, a place for each: the configurable program as it is without configuring it.
// expect: clean
// size: 100000 accesses a task

#include "configurable.h"

int main(int argc, char** argv) {
  configurable::run_apart(2, bench::size_argument(argc, argv, 100'000, bench::Polynomial{1}));
}
