// Readers of two of tbb::spin_rw_mutex, in two orders.

#include <tbb/spin_rw_mutex.h>
#include <tbb/task_group.h>

tbb::spin_rw_mutex a, b;

int main() {
  tbb::task_group group;
  group.run([] {
    tbb::spin_rw_mutex::scoped_lock first(a, false);
    tbb::spin_rw_mutex::scoped_lock second(b, false);
  });
  group.run([] {
    tbb::spin_rw_mutex::scoped_lock first(b, false);
    tbb::spin_rw_mutex::scoped_lock second(a, false);
  });
  group.wait();
  return 0;
}
