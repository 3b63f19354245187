// The current strand of a thread: where it begins anew, and the time that the runtime is at work on it.
#pragma once

#include "runtime/races/pending.hpp"
#include "runtime/state/process.hpp"

namespace heddle {

// After anything that changed the current task or strand: new strand word, new stamp, active again if it should be.
void refresh(ThreadState& thread);

// Makes hooks that are reached from inside the runtime do nothing, and puts the strand right at the end.
class RuntimeScope {
 public:
  explicit RuntimeScope(ThreadState& thread) : thread_(thread) {
    ++thread.inside;
    thread.reader.enter();
    thread.active = false;
    // A signal handler between the two would touch what is not checked any more.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (thread.sets.dirty_count) flush_pending(thread);
  }
  ~RuntimeScope() {
    --thread_.inside;
    refresh(thread_);
    thread_.reader.leave();
  }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  ThreadState& thread_;
};

}  // namespace heddle
