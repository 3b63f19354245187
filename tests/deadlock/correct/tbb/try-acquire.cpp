// The second order only tries.

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

tbb::spin_mutex a, b;

int main() {
  tbb::task_group group;
  group.run([] {
    tbb::spin_mutex::scoped_lock first(a);
    tbb::spin_mutex::scoped_lock second(b);
  });
  group.run([] {
    tbb::spin_mutex::scoped_lock first(b);
    tbb::spin_mutex::scoped_lock second;
    second.try_acquire(a);
  });
  group.wait();
  return 0;
}
