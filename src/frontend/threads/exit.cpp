// Leaving without exit(): the log is closed first. (exit itself runs the runtime's atexit handler.)
#include "base/handlers.hpp"
#include "frontend/threads/start.hpp"
#include "frontend/threads/threads.hpp"
#include "runtime/log/raw_log.hpp"

namespace heddle::threads {
namespace {

void leaving() {
  if (!g_runtime || !rt().enabled) return;
  control::wait_for_the_rest();
  raw_log::close("_exit");
}

}  // namespace

// Registered first, so it runs after the program's own handlers.
void start_exit() {
  at_quick_exit([](void*) { leaving(); });
}

}  // namespace heddle::threads

using namespace heddle;

HEDDLE_REAL(void, _exit, int);
HEDDLE_DEFINE(void, _exit, int code) {
  threads::leaving();
  real__exit(code);
  __builtin_unreachable();
}
HEDDLE_REAL(void, _Exit, int);
HEDDLE_DEFINE(void, _Exit, int code) {
  threads::leaving();
  real__Exit(code);
  __builtin_unreachable();
}
