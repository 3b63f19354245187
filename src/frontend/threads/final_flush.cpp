// The end of the program, while threads are in the middle of a strand: their accesses are pending, and only the
// threads themselves may check them. Each is asked by a signal, and answers from its handler if it was in the
// program's own code, else when it is asked again.
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/signal_set.hpp"
#include "base/system_call.hpp"
#include "control/strategy.hpp"
#include "frontend/access_section.hpp"
#include "frontend/threads/start.hpp"
#include "frontend/threads/threads.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/state/thread_list.hpp"

HEDDLE_REAL(int, sigaction, int, const struct sigaction*, struct sigaction*);

namespace heddle::threads {
namespace {

int signal_number() { return SIGRTMAX - 3; }

void answer(int, siginfo_t*, void* context) {
  int saved = errno;
  ThreadState* thread = self();
  if (thread && thread->active && !interrupts_an_access(context)) flush_pending(*thread);
  errno = saved;
}

// Under the verification runtime the others are stopped outside of any access, and the order must be the same in
// every run.
void flush_for_all() {
  Vector<ThreadState*> threads;
  thread_list::for_each([&](ThreadState& thread) {
    if (&thread != self()) threads.push_back(&thread);
  });
  for (ThreadState* thread : threads) {
    thread->active = false;
    flush_pending(*thread);
  }
}

void ask_other_threads() {
  // It stays: a thread may have been asked twice, and the second signal is still pending.
  struct sigaction ours = {};
  ours.sa_sigaction = answer;
  ours.sa_flags = SA_RESTART | SA_SIGINFO;
  fill(ours.sa_mask);
  if (real_sigaction(signal_number(), &ours, nullptr) != 0) return;
  const ThreadState* asking = self();
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    u32 waiting = 0;
    thread_list::for_each([&](ThreadState& thread) {
      if (&thread == asking || __atomic_load_n(&thread.sets.dirty_count, __ATOMIC_RELAXED) == 0) return;
      ++waiting;
      system_call(SYS_tgkill, system_call(SYS_getpid), thread.os_id, signal_number());
    });
    if (!waiting) break;
    timespec millisecond = {0, 1'000'000};
    system_call(SYS_nanosleep, &millisecond, nullptr);
  }
}

}  // namespace

void start_final_flush() {
  raw_log::at_close({.flush = [] {
    const control::Actor* actor = control::current();
    if (actor && actor->state == control::State::kRuns)
      flush_for_all();
    else
      ask_other_threads();
  }});
}

}  // namespace heddle::threads
