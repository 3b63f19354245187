// Iterations suspend themselves, and tasks that they start then resume them; each goes on with what its task wrote.
// expect: clean

#include <tbb/parallel_for.h>
#include <tbb/task.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

int inputs[8], outputs[8];

static int run() {
  tbb::task_group group;
  tbb::parallel_for(
      0, 8,
      [&](int i) {
        int local = i;
        tbb::task::suspend([&](tbb::task::suspend_point point) {
          group.run([point, i] {
            inputs[i] = 10 * i;
            tbb::task::resume(point);
          });
        });
        outputs[i] = inputs[i] + local;
      },
      tbb::simple_partitioner());
  group.wait();
  return outputs[7] != 77;
}

int main() { return on_workers(run); }
