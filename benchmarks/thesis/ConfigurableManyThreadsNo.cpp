// Thousands of tasks with few accesses each, a place for each: the work is in the tasks.
// expect: clean
// size: 4000 tasks

#include "configurable.h"

int main(int argc, char** argv) {
  configurable::run_apart(bench::size_argument(argc, argv, 4000, bench::Polynomial{1}), 100);
}
