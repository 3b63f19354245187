// A queue with one token in it: whoever has taken the token may touch the variable.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_queue.h>
#include <tbb/parallel_for.h>

#include "../../workers.hpp"

int counter;

static int run() {
  tbb::concurrent_bounded_queue<char> token;
  token.push('t');
  tbb::parallel_for(0, 20, [&](int) {
    char mine;
    token.pop(mine);
    ++counter;
    token.push(mine);
  });
  return counter != 20;
}

int main() { return on_workers(run); }
