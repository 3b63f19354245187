// The finish around waits for all iterations of both loops.

#include <heddle/async.hpp>

int cells[4][5];

int main() {
  heddle::finish([] {
    heddle::forasync(0, 2, heddle::grouped(2), [](long i) { cells[i][0] = 1; });
    heddle::forasync({2, 4}, {0, 5}, [](long i, long j) { cells[i][j] = 1; });
  });
  return cells[3][4] - 1;
}
