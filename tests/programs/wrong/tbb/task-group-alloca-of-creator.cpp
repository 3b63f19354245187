// A task writes into what alloca gave its creator, which writes there as well before it waits. Then a second task does
// so, without a wait in between.
// expect: race
// workers: 1 2 8

#include <alloca.h>
#include <tbb/task_group.h>

#include "../../workers.hpp"

volatile int size = 500;

static int run() {
  char* bytes = static_cast<char*>(alloca(static_cast<unsigned>(size)));
  tbb::task_group group;
  group.run([bytes] { bytes[5] = 1; });    // race: A
  bytes[5] = 2;                            // race: A
  group.run([bytes] { bytes[100] = 1; });  // race: B
  group.run([bytes] { bytes[100] = 2; });  // race: B
  group.wait();
  return bytes[5] == 0;
}

int main() { return on_workers(run); }
