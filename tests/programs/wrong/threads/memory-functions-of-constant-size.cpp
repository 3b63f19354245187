// Compilers expand memory and string functions of a constant size in place: no call is left to be intercepted.
// expect: race

#include <cstring>
#include <string>
#include <thread>

char copied[40], copied_from[40], moved[40], moved_from[40], set[40], compared[40], pattern[40];
char text[16], name[16] = "one";
long filled[5];
int differences;

// Not inlined: at some level nobody would know the sizes otherwise.
__attribute__((noinline)) void use_all() {
  std::memcpy(copied, copied_from, 17);                    // race: A B
  std::memmove(moved, moved_from, 9);                      // race: C
  std::memset(set, 1, 24);                                 // race: D
  differences += std::memcmp(compared, pattern, 33) != 0;  // race: E
  std::strcpy(text, "hello");                              // race: F
  differences += std::strcmp(name, "two") != 0;            // race: G
  for (long& one : filled) one = 7;                        // race: H
}

int main() {
  std::thread other(use_all);
  copied[16] = 1;       // race: A
  copied_from[16] = 1;  // race: B
  moved[8] = 1;         // race: C
  set[23] = 2;          // race: D
  compared[0] = 1;      // race: E
  text[4] = 'x';        // race: F
  name[0] = 'o';        // race: G
  filled[4] = 8;        // race: H
  other.join();
  return differences == 77;
}
