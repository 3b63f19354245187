// prove: proved
// assumptions: one-order
// Who locks a file first is not explored.
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <thread>

int main() {
  char name[] = "/tmp/heddle-lock-XXXXXX";
  const int first = mkstemp(name), second = open(name, O_RDWR);
  unlink(name);
  std::thread other([=] {
    flock(first, LOCK_EX);
    flock(first, LOCK_UN);
  });
  if (flock(second, LOCK_EX | LOCK_NB) == 0) flock(second, LOCK_UN);
  other.join();
}
