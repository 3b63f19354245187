// An observer is called when threads enter and leave the arena; it counts by an atomic variable, and sees what main
// wrote before.
// expect: clean
// workers: 1 2 8

#include <tbb/parallel_for.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>

#include "../../workers.hpp"

int cells[50];

class Observer : public tbb::task_scheduler_observer {
 public:
  Observer() { observe(true); }
  ~Observer() override { observe(false); }
  void on_scheduler_entry(bool) override { ++entries; }
  void on_scheduler_exit(bool) override { ++exits; }
  std::atomic<int> entries{0}, exits{0};
};

static int run() {
  Observer observer;
  tbb::parallel_for(0, 50, [](int i) { cells[i] = i; });
  return observer.entries < 1 || cells[49] != 49;
}

int main() { return on_workers(run); }
