#include "base/check.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heddle {

void (*on_fatal)(const char*) = nullptr;

namespace {
void say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;  // nothing better to do with a closed stderr
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
  say("heddle: ");
  say(message);
  say("\n");
  if (on_fatal) on_fatal(message);
  _exit(70);
}

}  // namespace heddle
