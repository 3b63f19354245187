// prove: undecided
// Whether the read comes between the writes is not explored.
#include <unistd.h>

#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  std::thread other([&] {
    if (write(ends[1], "a", 1) + write(ends[1], "b", 1) != 2) return;
  });
  char letters[2];
  if (read(ends[0], letters, 2) < 1) return 1;
  other.join();
}
