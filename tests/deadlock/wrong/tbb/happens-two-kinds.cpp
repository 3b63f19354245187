// A task with a spin_mutex wants a queuing_rw_mutex, and one with that wants the first.
// expect: deadlock
// happens: yes

#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>

#include <thread>

#include "../../happens.hpp"

tbb::spin_mutex spin;
tbb::queuing_rw_mutex queue;

int main() {
  end_when_all_wait(2);
  std::thread one([] {
    tbb::spin_mutex::scoped_lock first(spin);
    everybody_has_one(2);
    tbb::queuing_rw_mutex::scoped_lock second(queue, false);  // wants: A
  });
  std::thread two([] {
    tbb::queuing_rw_mutex::scoped_lock first(queue, true);
    everybody_has_one(2);
    tbb::spin_mutex::scoped_lock second(spin);  // wants: A
  });
  one.join();
  two.join();
  return 0;
}
