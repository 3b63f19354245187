// Writes the raw log (docs/raw-log.md): JSON lines, each with one write(2), to the descriptor in HEDDLE_LOG_FD. Without
// that variable (the program was started without `heddle run`) a short hint goes to stderr at exit instead.
#pragma once

#include "runtime/log/line.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::raw_log {

void open();
void warning(const char* text);
// Something that the report does not cover: a phrase for "not analysed: ...".
void not_analysed(const char* text);
// In a forked child: it is analysed, as a process of its own, which begins with what its parent knew; or it is not.
void begin_child(ThreadState& thread);
void leave_child_out();
// A child that is not analysed becomes another program.
void child_executes();
// What other rooms contribute when the log is closed; each of the functions may be null.
struct AtClose {
  void (*flush)() = nullptr;                  // what is not written yet
  void (*add_figures)(Line& line) = nullptr;  // to the line of statistics
  void (*warn)() = nullptr;
};
void at_close(const AtClose& part);
// Counts, statistics and the end line; once.
void close(const char* reason);
// Nothing is written any more, not even the end: this process is one of many executions.
void mute();
// Writes the modules that were loaded since the list was last written.
void note_modules();

}  // namespace heddle::raw_log
