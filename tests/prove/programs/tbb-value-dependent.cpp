// Who comes second to the mutex writes without it, and an iteration of a loop reads: in one of two orders nobody
// comes second.
// prove: race
// flags: -ltbb

#include <tbb/parallel_for.h>
#include <tbb/spin_rw_mutex.h>
#include <tbb/task_group.h>

int main() {
  tbb::spin_rw_mutex mutex;
  bool was_there = false;
  int value = 0, seen = 0;
  tbb::task_group group;
  group.run([&] {
    bool second;
    {
      tbb::spin_rw_mutex::scoped_lock lock(mutex, /*write=*/false);
      second = was_there;
    }
    if (second) value = 1;
  });
  group.run([&] {
    tbb::spin_rw_mutex::scoped_lock lock(mutex, /*write=*/true);
    was_there = true;
  });
  tbb::parallel_for(0, 2, [&](int i) {
    if (i == 1) seen = value;
  });
  group.wait();
  return seen > 1;
}
