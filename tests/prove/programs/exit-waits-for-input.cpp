// prove: proved
// assumptions: cut-off
// A thread waits for another process when main ends.
#include <unistd.h>

#include <thread>

int ends[2];

int main() {
  if (pipe(ends) != 0) return 1;
  std::thread([] {
    char byte;
    if (read(ends[0], &byte, 1) == 1) _exit(1);
  }).detach();
}
