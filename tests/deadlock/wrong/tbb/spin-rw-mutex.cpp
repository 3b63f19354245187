// A reader and a writer of two of tbb::spin_rw_mutex, in two orders.
// Built alone: where GCC leaves the constructor of a scoped_lock that others use as well out of line, it makes one
// notice of a reader's and a writer's, and who writes cannot be told.
// expect: deadlock
// alone: yes

#include <tbb/global_control.h>
#include <tbb/spin_rw_mutex.h>
#include <tbb/task_group.h>

tbb::spin_rw_mutex a, b;

int main() {
  // One worker: the deadlock must not happen. It is found all the same.
  tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_group group;
  group.run([] {
    tbb::spin_rw_mutex::scoped_lock first(a, false);
    tbb::spin_rw_mutex::scoped_lock second(b, false);  // wants: A
  });
  group.run([] {
    tbb::spin_rw_mutex::scoped_lock first(b, true);
    tbb::spin_rw_mutex::scoped_lock second(a, true);  // wants: A
  });
  group.wait();
  return 0;
}
