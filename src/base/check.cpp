#include "base/check.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace heddle {

void (*on_fatal)(const char*) = nullptr;

namespace {
// System calls: write and _exit are hooks in the target, and whatever failed may hold the locks they take.
void say(const char* text) {
  long length = 0;
  while (text[length]) ++length;
  syscall(SYS_write, STDERR_FILENO, text, length);
}
}  // namespace

void check_failed(const char* file, int line, const char* what) {
  char text[512];
  snprintf(text, sizeof text, "heddle: internal error: %s:%d: %s does not hold\n", file, line, what);
  say(text);
  if (on_fatal) on_fatal(text);
  abort();
}

void fatal(const char* message) {
  static bool dying = false;
  if (dying) syscall(SYS_exit_group, 70);  // the last words need what there is no more of
  dying = true;
  say("heddle: ");
  say(message);
  say("\n");
  if (on_fatal) on_fatal(message);
  syscall(SYS_exit_group, 70);
  __builtin_unreachable();
}

}  // namespace heddle
