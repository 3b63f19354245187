#include "frontend/threads/start.hpp"

#include "frontend/interpose.hpp"

namespace {

// As early as constructors can run. Hooks that are called before this look up what they need themselves.
__attribute__((constructor(101))) void start_frontends() {
  heddle::init();
  heddle::resolve_all();
  heddle::threads::start_actors();
  heddle::threads::start_signals();
  heddle::threads::start_fork();
  heddle::threads::start_exit();
  heddle::threads::start_last_look();
  heddle::threads::start_patience();
}

}  // namespace
