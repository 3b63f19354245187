// Whose code made an access? Answers from the tables that the wrapper leaves in binaries (base/code_class.hpp).
//
// Most of the time a program counter is enough. Code of the standard library is as its caller, and at -O0 every small
// function is a call of its own: then the thread's call stack is climbed.
//
// Thread safety: any. Cost: a program without a table asks one flag; else a probe of a table a frame.
#pragma once

#include <atomic>

#include "base/code_class.hpp"
#include "runtime/state/thread_state.hpp"

namespace heddle::code {

// There is a table: accesses must be asked about.
extern bool g_any;

// Answers, by program counter: pc << 10 | here << 5 | caller. A slot that is overwritten is only asked again.
constexpr u32 kAnswers = 1u << 14;
extern std::atomic<u64> g_answers[kAnswers];
inline std::atomic<u64>& answer_for(uptr pc) { return g_answers[(pc ^ pc >> 14) % kAnswers]; }

// Reads the tables of all modules that are loaded. Also called when an address turns up that is in none.
void load();

// Of the code whose hook returns to `pc`; kProgram where nothing is known.
CodeClass here(const ThreadState& thread, uptr pc);
// The first function around it that does not merely help.
CodeClass caller(const ThreadState& thread, uptr pc);

// Has code of this class called it, by way of code that is not the program's?
bool on_behalf_of(const ThreadState& thread, uptr pc, CodeClass wanted);

// What a frontend knows of atomic operations in its library's headers that order nothing. Set by a constructor, or
// null.
struct Library {
  // What a load of code of this class shall see where `value` is.
  u64 (*loaded)(CodeClass from, u64 value, usize size);
  // Something was read, changed and written.
  void (*updated)(ThreadState& thread, CodeClass from, uptr object, uptr pc);
};
extern Library g_library;

// Under the verification runtime, set by a frontend: the library's code is about to give something, and has when it
// next changes an atomic variable.
extern __thread uptr t_gives __attribute__((tls_model("initial-exec")));
extern void (*on_change)(uptr given);

// The outermost call of the task.
inline Frame* first_frame(const ThreadState& thread) {
  return thread.frames + (thread.context ? thread.context->stack_base : 0);
}

// Is an access from there none of the program's?
inline bool ignores(const ThreadState& thread, uptr pc) {
  if (HEDDLE_LIKELY(!g_any)) return false;
  const u64 answer = answer_for(pc).load(std::memory_order_relaxed);
  if (HEDDLE_LIKELY(answer >> 10 == pc)) {
    auto known = static_cast<CodeClass>(answer >> 5 & 31);
    if (known == CodeClass::kNeutral && thread.top > first_frame(thread))
      known = thread.top[-1].called_by.here;
    if (HEDDLE_LIKELY(known != CodeClass::kNeutral)) return known != CodeClass::kProgram;
  }
  return here(thread, pc) != CodeClass::kProgram;
}
// Does an atomic operation of such code order anything?
inline bool orders(CodeClass from) {
  return from == CodeClass::kProgram || from == CodeClass::kContainer || from == CodeClass::kPerThread ||
         from == CodeClass::kPut;
}
inline bool orders_nothing(const ThreadState& thread, uptr pc) {
  return HEDDLE_UNLIKELY(g_any) && !orders(here(thread, pc));
}

}  // namespace heddle::code
