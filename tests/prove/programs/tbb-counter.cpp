// Tasks of a task group count under a spin_mutex: every order is another class, none is wrong.
// prove: proved
// assumptions: input
// classes: 6
// flags: -ltbb

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

int main() {
  tbb::spin_mutex mutex;
  long value = 0;
  tbb::task_group group;
  for (int i = 0; i < 3; ++i)
    group.run([&, i] {
      tbb::spin_mutex::scoped_lock lock(mutex);
      value = value * 2 + i;
    });
  group.wait();
  return value < 0;
}
