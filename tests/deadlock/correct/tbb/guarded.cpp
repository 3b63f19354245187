// Two orders inside a common outer lock.

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

tbb::spin_mutex gate, a, b;

int main() {
  tbb::task_group group;
  group.run([] {
    tbb::spin_mutex::scoped_lock guard(gate);
    tbb::spin_mutex::scoped_lock first(a);
    tbb::spin_mutex::scoped_lock second(b);
  });
  group.run([] {
    tbb::spin_mutex::scoped_lock guard(gate);
    tbb::spin_mutex::scoped_lock first(b);
    tbb::spin_mutex::scoped_lock second(a);
  });
  group.wait();
  return 0;
}
