#include "base/check.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heddle {

void (*on_fatal)(const char*) = nullptr;

namespace {
// System calls: write and _exit are hooks in the target, and whatever failed may hold the locks they take.
void say(const char* text) { syscall(SYS_write, STDERR_FILENO, text, strlen(text)); }
}  // namespace

void check_failed(const char* file, int line, const char* what) {
  char text[512];
  snprintf(text, sizeof text, "heddle: internal error: %s:%d: %s does not hold\n", file, line, what);
  say(text);
  if (on_fatal) on_fatal(text);
  abort();
}

void fatal(const char* message) {
  say("heddle: ");
  say(message);
  say("\n");
  if (on_fatal) on_fatal(message);
  syscall(SYS_exit_group, 70);
  __builtin_unreachable();
}

}  // namespace heddle
