// GCC makes copies of what prints or appends a constant text, late.
// expect: race

#include <cstdio>
#include <cstring>
#include <thread>

char printed[40], printed_within[40], appended[40], appended_some[40], behind[40] = "abc";

__attribute__((noinline)) void use_all() {
  std::sprintf(printed, "hello");              // race: A
  std::snprintf(printed_within, 30, "hello");  // race: B
  appended[0] = 0;
  std::strcat(appended, "hello");  // race: C
  appended_some[0] = 0;
  std::strncat(appended_some, "hello", 8);  // race: D
  std::strcat(behind, "defg");              // race: E
}

int main() {
  std::thread other(use_all);
  printed[4] = 'x';         // race: A
  printed_within[4] = 'x';  // race: B
  appended[4] = 'x';        // race: C
  appended_some[4] = 'x';   // race: D
  behind[6] = 'x';          // race: E
  other.join();
  return 0;
}
