// Two tasks, each with one long stretch of accesses to memory of its own.
// verdict: clean
// tasks: 3
// published: CG 5, GPR 15, PRD -
// classes: 1

#include "prove.h"

int main() {
  long clumps[2][50] = {};
  heddle::finish([&] {
    for (int clump = 0; clump < 2; ++clump)
      heddle::async([&clumps, clump] {
        prove::Writes region(clumps[clump], sizeof clumps[clump]);
        for (int turn = 0; turn < 4; ++turn)
          for (long& cell : clumps[clump]) ++cell;
      });
  });
  bench::require(clumps[1][49] == 4, "the last cell");
}
