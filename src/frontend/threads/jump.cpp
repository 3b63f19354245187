// Leaving frames without returning: longjmp and its relatives, and stacks switched by swapcontext. Our own call stack
// (ThreadState::frames) must follow.
#include <setjmp.h>
#include <ucontext.h>

#include <cstring>

#include "control/control.hpp"
#include "frontend/interpose.hpp"

namespace {

using namespace heddle;

// The stack pointer of a jmp_buf. glibc mangles it: rotated, and combined with a secret in the thread's control
// block.
uptr target_stack(const __jmp_buf_tag* buffer) {
  constexpr int kStackPointer = 6, kRotation = 17;
  uptr hidden = static_cast<uptr>(buffer->__jmpbuf[kStackPointer]);
  uptr secret;
  asm("mov %%fs:0x30, %0" : "=r"(secret));
  return (hidden >> kRotation | hidden << (64 - kRotation)) ^ secret;
}

// Drops the frames below the target. A frame's address is that of the entry hook called from it: two words
// (return address, saved frame pointer) below the stack pointer of the function itself.
void unwind_to(const __jmp_buf_tag* buffer) {
  ThreadState* thread = self();
  if (!thread) return;
  uptr lowest = target_stack(buffer) - 2 * sizeof(uptr);
  if (control::on()) control::jumped_to(lowest);
  while (thread->top > thread->frames && thread->top[-1].frame_address < lowest) --thread->top;
}

}  // namespace

#define HEDDLE_JUMP(name)                                       \
  HEDDLE_REAL(void, name, __jmp_buf_tag* buffer, int value);    \
  HEDDLE_DEFINE(void, name, __jmp_buf_tag* buffer, int value) { \
    unwind_to(buffer);                                          \
    real_##name(buffer, value);                                 \
    __builtin_unreachable();                                    \
  }
HEDDLE_JUMP(longjmp)
HEDDLE_JUMP(_longjmp)
HEDDLE_JUMP(siglongjmp)
HEDDLE_JUMP(__longjmp_chk)

// A context that is resumed finds its frames unchanged, perhaps on another thread. A new context starts with the
// frames of the one that switched to it: its reports then show where it was started from.
HEDDLE_INTERPOSE(int, swapcontext, ucontext_t* from, const ucontext_t* to) {
  ThreadState* thread = self();
  if (!thread) return real_swapcontext(from, to);
  usize count = static_cast<usize>(thread->top - thread->frames);
  auto* saved = static_cast<Frame*>(memory::allocate((count + 1) * sizeof(Frame)));
  for (usize i = 0; i < count; ++i) saved[i] = thread->frames[i];
  int result = real_swapcontext(from, to);
  asm volatile("" ::: "memory");  // this may be another thread now
  thread = self();
  if (thread && static_cast<usize>(thread->frames_end - thread->frames) >= count) {
    for (usize i = 0; i < count; ++i) thread->frames[i] = saved[i];
    thread->top = thread->frames + count;
  }
  memory::release(saved, (count + 1) * sizeof(Frame));
  return result;
}
