// Two functions of a parallel_invoke take two mutexes in opposite orders.
// prove: deadlock
// flags: -ltbb

#include <tbb/parallel_invoke.h>
#include <tbb/spin_mutex.h>

int main() {
  tbb::spin_mutex a, b;
  int both = 0;
  tbb::parallel_invoke(
      [&] {
        tbb::spin_mutex::scoped_lock first(a), second(b);
        ++both;
      },
      [&] {
        tbb::spin_mutex::scoped_lock first(b), second(a);
        ++both;
      });
  return both != 2;
}
