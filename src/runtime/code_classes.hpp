// Whose code made an access? Answers from the tables that the wrapper leaves in binaries (base/code_class.hpp).
//
// Most of the time a program counter is enough. Code of the standard library is as its caller, and at -O0 every small function is a call of
// its own: then the thread's call stack is climbed.
//
// Thread safety: any. Cost: a program without a table asks one flag; else a probe of a table a frame.
#pragma once

#include "base/code_class.hpp"
#include "runtime/thread_state.hpp"

namespace heddle::code {

// There is a table: accesses must be asked about.
extern bool g_any;

// Reads the tables of all modules that are loaded. Also called when an address turns up that is in none.
void load();

// Of the code whose hook returns to `pc`; kProgram where nothing is known.
CodeClass here(const ThreadState& thread, uptr pc);
// The first function around it that does not merely help.
CodeClass caller(const ThreadState& thread, uptr pc);

// Has code of this class called it, by way of code that is not the program's?
bool on_behalf_of(const ThreadState& thread, uptr pc, CodeClass wanted);

// Set by a frontend: an atomic operation has made the calling thread, a reader of this lock, its writer.
extern void (*on_upgrade)(ThreadState& thread, uptr lock, uptr pc);

// Under the verification runtime, set by a frontend: the library's code is about to give something, and has when it next changes an atomic
// variable.
extern __thread uptr t_gives __attribute__((tls_model("initial-exec")));
extern void (*on_change)(uptr given);

// Is an access from there none of the program's?
inline bool ignores(const ThreadState& thread, uptr pc) {
  return HEDDLE_UNLIKELY(g_any) && here(thread, pc) != CodeClass::kProgram;
}
// Is an atomic operation from there none that orders anything?
inline bool orders_nothing(const ThreadState& thread, uptr pc) {
  if (HEDDLE_LIKELY(!g_any)) return false;
  const CodeClass from = here(thread, pc);
  return from != CodeClass::kProgram && from != CodeClass::kContainer && from != CodeClass::kPerThread;
}

}  // namespace heddle::code
