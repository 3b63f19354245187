// prove: undecided
// Two threads write to one pipe. In which order is not explored yet.
#include <unistd.h>

#include <thread>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  std::thread one([&] { (void)!write(ends[1], "a", 1); }), two([&] { (void)!write(ends[1], "b", 1); });
  char read_bytes[2];
  for (char& byte : read_bytes) (void)!read(ends[0], &byte, 1);
  one.join();
  two.join();
}
