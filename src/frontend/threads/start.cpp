#include "frontend/threads/start.hpp"

#include "frontend/interpose.hpp"
#include "runtime/log/raw_log.hpp"

namespace {

// As early as constructors can run. Hooks that are called before this look up their functions themselves.
__attribute__((constructor(101))) void start_frontends() {
  heddle::init();
  heddle::resolve_all();
  if (!heddle::threads::hooks_are_in_front())
    heddle::raw_log::not_analysed(
        "threads, locks and memory of a program that was not built with Heddle, but loads a plugin that was: "
        "preload libheddle.so (LD_PRELOAD=.../lib/heddle/libheddle.so)");
  heddle::threads::start_actors();
  heddle::threads::start_signals();
  heddle::threads::start_fork();
  heddle::threads::start_exit();
  heddle::threads::start_final_flush();
  heddle::threads::start_spin_watchdog();
}

}  // namespace
