// A reader and a writer of two of tbb::queuing_rw_mutex, in two orders.
// expect: deadlock

#include <tbb/global_control.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/task_group.h>

tbb::queuing_rw_mutex a, b;

int main() {
  // One worker: the deadlock must not happen. It is found all the same.
  tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_group group;
  group.run([] {
    tbb::queuing_rw_mutex::scoped_lock first(a, false);
    tbb::queuing_rw_mutex::scoped_lock second(b, false);  // wants: A
  });
  group.run([] {
    tbb::queuing_rw_mutex::scoped_lock first(b, true);
    tbb::queuing_rw_mutex::scoped_lock second(a, true);  // wants: A
  });
  group.wait();
  return 0;
}
