#include "runtime/state/current_stack.hpp"

namespace heddle {

void (*on_new_site)(ThreadState&, StackId, StackId, uptr) = nullptr;

namespace {

StackId extend_cached(ThreadState& thread, StackId caller, uptr pc) {
  auto& entry = thread.known_site(caller, pc);
  if (entry.pc == pc && entry.caller == caller) return entry.site;
  bool made;
  StackId site = rt().stacks.extend(caller, pc, made);
  entry = {pc, caller, site};
  if (made && thread.stream) on_new_site(thread, site, caller, pc);
  return site;
}

}  // namespace

StackId current_stack(ThreadState& thread, uptr pc) {
  Frame* base = thread.frames + (thread.context ? thread.context->stack_base : 0);
  // Frames know their number once asked: only what was called since then is new.
  Frame* known = thread.top;
  while (known > base && !known[-1].stack) --known;
  StackId stack = known > base ? known[-1].stack : 0;
  for (; known < thread.top; ++known) stack = known->stack = extend_cached(thread, stack, known->pc);
  return pc ? extend_cached(thread, stack, pc) : stack;
}

}  // namespace heddle
