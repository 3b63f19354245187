// Two tasks take two of tbb::mutex in two orders.
// expect: deadlock

#include <tbb/global_control.h>
#include <oneapi/tbb/mutex.h>
#include <tbb/task_group.h>

tbb::mutex a, b;

int main() {
  // One worker: the deadlock must not happen. It is found all the same.
  tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_group group;
  group.run([] {
    tbb::mutex::scoped_lock first(a);
    tbb::mutex::scoped_lock second(b);  // wants: A
  });
  group.run([] {
    tbb::mutex::scoped_lock first(b);
    tbb::mutex::scoped_lock second(a);  // wants: A
  });
  group.wait();
  return 0;
}
