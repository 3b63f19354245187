#include "runtime/runtime.hpp"

#include "base/ask_signal.hpp"
#include "base/check.hpp"
#include "base/handlers.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "control/strategy.hpp"
#include "runtime/access/mode.hpp"
#include "runtime/annotated/annotated.hpp"
#include "runtime/annotated/flags.hpp"
#include "runtime/controlled/fork_server.hpp"
#include "runtime/controlled/pauses.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/controlled/replay.hpp"
#include "runtime/locks/deadlocks.hpp"
#include "runtime/locks/hangs.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/log/stalls.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/shadow/constants.hpp"
#include "runtime/state/code_classes.hpp"

// `heddle run` looks for this symbol to recognise a program built with Heddle.
extern "C" __attribute__((visibility("default"))) const int __heddle_runtime_version = 1;

namespace heddle {

namespace {

// Registered first, so it runs after all that the program does at its end. If exit is called, or main returns, while
// another thread is here already, both wait: the one that continues ends the process.
void end_process(void*) {
  static bool over = false;
  if (over) return;
  if (control::active()) {
    at_exit(end_process);
    control::wait_for_the_rest();
    over = true;
  }
  raw_log::close("exit");
}

}  // namespace

void init() {
  static bool started = false;  // the first caller is the loader or a constructor: one thread
  if (started) return;
  started = true;
  alignas(Runtime) static char storage[sizeof(Runtime)];
  Runtime* runtime = new (storage) Runtime;
  const bool has_valid_options = runtime->options.parse(environment("HEDDLE_OPTIONS"));
  if (runtime->options.serial) {
    control::start(runtime->options.threads);
    replay::attach();
  }
  memory::set_limit(runtime->options.memory_limit_mb << 20);
  on_fatal = [](const char* message) {
    t_self = t_all_accesses =
        nullptr;  // whatever is called from here on is not the program's, and may need a lock that we hold
    raw_log::warning(message);
    raw_log::close("internal");
  };
  control::on_stall = [](control::Stall kind) {
    if (ThreadState* thread = self()) thread->active = false;
    raw_log::stall(kind);
    raw_log::close("stall");
    system_call(SYS_exit_group, ask::kEndedCode);
  };
  g_runtime = runtime;
  code::load();
  constants::find();
  runtime->explored = fork_server::attach();
  if (runtime->explored) runtime->stacks.expect_few();
  runtime->recording = runtime->explored || recorder::open();
  runtime->order.set_listener(recorder::listener());
  raw_log::open();
  raw_log::at_close({.flush = [] {
    ThreadState* thread = self();
    if (!thread) return;
    if (thread->active) flush_pending(*thread);
    thread->active = false;
  }});
  if (!has_valid_options)
    raw_log::warning("HEDDLE_OPTIONS has a value that its option does not take; it is ignored");
  if (runtime->options.check_atomicity) annotated::prepare();
  g_compounds_are_two = runtime->options.check_atomicity || (runtime->recording && !runtime->explored);
  // Under the verification runtime, a thread that polls any memory must be detected.
  runtime->only_annotated = runtime->options.check_atomicity && annotated::only_what_is_annotated() &&
                            !runtime->explored && !runtime->options.serial && !places::g_any;
  if (runtime->options.check_deadlock) {
    if (!runtime->recording) deadlocks::start();
    runtime->counts_creations = true;
  }
  start_modes();
  order::Task* main_task = runtime->order.make_root();
  describe(*main_task, TaskKind::kInitialThread, 0);
  runtime->initial = attach_thread(main_task);
  pauses::attach();
  hangs::start();
  at_exit(end_process);
}

}  // namespace heddle
