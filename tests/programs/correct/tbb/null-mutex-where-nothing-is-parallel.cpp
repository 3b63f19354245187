// A class template that locks by a mutex of its parameter: null_mutex for an object that each task has to itself.
// expect: clean
// workers: 1 2 8

#include <tbb/null_mutex.h>
#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>

#include "../../workers.hpp"

template <class Mutex>
class Counter {
 public:
  void add(int n) {
    typename Mutex::scoped_lock lock(mutex_);
    total_ += n;
  }
  int total() const { return total_; }

 private:
  Mutex mutex_;
  int total_ = 0;
};

Counter<tbb::spin_mutex> all;

static int run() {
  tbb::parallel_for(0, 20, [](int i) {
    Counter<tbb::null_mutex> mine;
    for (int k = 0; k < i; ++k) mine.add(1);
    all.add(mine.total());
  });
  return all.total() != 190;
}

int main() { return on_workers(run); }
