// Two tasks take two of tbb::queuing_mutex in two orders.
// expect: deadlock

#include <tbb/global_control.h>
#include <tbb/queuing_mutex.h>
#include <tbb/task_group.h>

tbb::queuing_mutex a, b;

int main() {
  // One worker: the deadlock must not happen. It is found all the same.
  tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_group group;
  group.run([] {
    tbb::queuing_mutex::scoped_lock first(a);
    tbb::queuing_mutex::scoped_lock second(b);  // wants: A
  });
  group.run([] {
    tbb::queuing_mutex::scoped_lock first(b);
    tbb::queuing_mutex::scoped_lock second(a);  // wants: A
  });
  group.wait();
  return 0;
}
