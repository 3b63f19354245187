// Eight tasks with very many accesses each, a place for each: the work is in the accesses, hardly any in the tasks.
// expect: clean
// size: 500000 accesses a task

#include "configurable.h"

int main(int argc, char** argv) {
  configurable::run_apart(8, bench::size_argument(argc, argv, 500'000, bench::Polynomial{1}));
}
