// prove: proved
// assumptions: input one-order
// flags: -ltbb
// Which tasks the cancellation still reaches is not explored.
#include <tbb/task_group.h>

int main() {
  tbb::task_group group;
  bool ran = false;
  group.run([&] { group.cancel(); });
  group.run([&] { ran = true; });
  group.wait();
  return ran && false;
}
