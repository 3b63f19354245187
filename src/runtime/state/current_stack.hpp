// The call stack of the current task, as a number.
#pragma once

#include "runtime/state/process.hpp"

namespace heddle {

StackId current_stack(ThreadState& thread, uptr pc);

// The same, in a few instructions, when the function has asked before: the cache of sites has the answer.
HEDDLE_INLINE StackId current_site(ThreadState& thread, uptr pc) {
  if (HEDDLE_UNLIKELY(thread.top <= thread.frames + thread.context->stack_base))
    return current_stack(thread, pc);
  StackId caller = thread.top[-1].stack;
  const ThreadState::SiteCache& known = thread.known_site(caller, pc);
  return HEDDLE_LIKELY(caller && known.pc == pc && known.caller == caller) ? known.site
                                                                           : current_stack(thread, pc);
}

// Of a thread that is recorded: the call stack is a new one. Set by the recorder.
extern void (*on_new_site)(ThreadState& thread, StackId site, StackId caller, uptr pc);

}  // namespace heddle
