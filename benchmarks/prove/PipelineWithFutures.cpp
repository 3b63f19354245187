// Four stages, each a future that asks for the one before.
// verdict: clean
// tasks: 5
// published: CG 34, GPR 34, PRD -
// classes: 1

#include "prove.h"

int main() {
  long result = 0;
  long stages[4] = {};
  heddle::finish([&] {
    heddle::future<long> before;
    for (int stage = 0; stage < 4; ++stage)
      before = heddle::async([&stages, stage, before] {
        const long input = before.valid() ? before.get() : 1;
        prove::Writes region(&stages[stage], sizeof(long));
        return stages[stage] = input * 2;
      });
    result = before.get();
  });
  bench::require(result == 16 && stages[3] == 16, "the end of the pipeline");
}
