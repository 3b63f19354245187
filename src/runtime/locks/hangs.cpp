#include "runtime/locks/hangs.hpp"

#include <signal.h>
#include <sys/syscall.h>

#include "base/ask_signal.hpp"
#include "base/system_call.hpp"
#include "control/control.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/log/stalls.hpp"
#include "runtime/state/process.hpp"

namespace heddle::hangs {
namespace {

// Threads that wait for themselves do so forever, so entries stay. Of a program with more of them the first ones are
// reported.
constexpr u32 kMost = 64;
struct Entry {
  u32 thread;
  raw_log::OwnLock lock;
};
Entry g_entries[kMost];
u32 g_count = 0;
SpinLock g_lock;

// As the kernel has it.
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  u64 mask;
};
constexpr unsigned long kRestorer = 0x04000000;

// The way back from a handler.
extern "C" void heddle_signal_return();
asm(R"(
.text
.hidden heddle_signal_return
.globl heddle_signal_return
.p2align 4
heddle_signal_return:
  mov $15, %eax
  syscall
)");

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  KernelAction action{handler, SA_SIGINFO | kRestorer, heddle_signal_return, ~u64{0}};
  system_call(SYS_rt_sigaction, signal, reinterpret_cast<long>(&action), 0, sizeof action.mask);
}

raw_log::OwnLock own_lock(const ThreadState& thread) {
  for (u32 i = 0; i < g_count; ++i)
    if (g_entries[i].thread == thread.number) return g_entries[i].lock;
  return {};
}

[[noreturn]] void end(int, siginfo_t* info, void*) {
  const bool hangs = info->si_value.sival_int == ask::kHangs;
  if (ThreadState* thread = self()) thread->active = false;
  raw_log::hang(g_count ? "self-deadlock" : hangs ? "hang" : "timeout", nullptr, own_lock);
  raw_log::close(hangs ? "hang" : "timeout");
  for (;;) system_call(SYS_exit_group, ask::kEndedCode);
}

}  // namespace

void start() {
  if (raw_log::descriptor() < 0 || control::on()) return;
  handle(ask::kSignal, end);
}

void note_handler() {
  static std::atomic<bool> noted{false};
  if (raw_log::descriptor() < 0 || control::on() || noted.exchange(true)) return;
  handle(ask::kProgramHandles, [](int, siginfo_t*, void*) {});
}

void waits_for_itself(ThreadState& thread, uptr lock, LockKind kind, uptr pc) {
  {
    SpinGuard guard(g_lock);
    if (g_count < kMost) g_entries[g_count++] = {thread.number, {lock, kind, pc}};
  }
  raw_log::hang("self-deadlock", &thread, own_lock);
}

}  // namespace heddle::hangs
