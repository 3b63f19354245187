// Under the verification runtime: a thread that polls plain memory never reaches a choice point. That is a race, but
// one that must be reported, so the program must end.
//
// A kernel thread (invisible to the C library) checks periodically whether any step is made. If not, a signal asks
// the active actor to yield at its next access, provided that it has made no new access for as long. This depends on
// the clock, which nothing else here does; it decides only when a thread stops spinning.
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/signal_set.hpp"
#include "base/system_call.hpp"
#include "control/strategy.hpp"
#include "frontend/threads/start.hpp"
#include "frontend/threads/threads.hpp"

HEDDLE_REAL(int, sigaction, int, const struct sigaction*, struct sigaction*);

// clone, by a name that cannot be the program's.
extern "C" int __clone(int (*run)(void*), void* stack, int flags, void* argument, ...) noexcept;

namespace heddle::threads {
namespace {

int signal_number() { return SIGRTMAX - 4; }

constexpr long kTick = 100'000'000;  // nanoseconds
constexpr u32 kMostIdleTicks = 10;   // ticks: longer than most programs compute without touching anything new

// On the active actor's thread.
void ask(int) {
  ThreadState* thread = self();
  if (!thread || !thread->active) return;
  if (thread->touches != thread->touches_then) {
    thread->touches_then = thread->touches;
    return;
  }
  // Invalidates the strand's access sets, so that the next access takes the slow path. The interrupted one is not
  // affected.
  thread->gives_way = true;
  thread->sets.stamp = thread->sets.read_stamp = 0;
  for (u32 i = 0; i < ThreadState::kFilter; ++i) thread->filter[i].marked = 0;
}

int watch(void* data) {
  const int number = *static_cast<int*>(data);
  const long process = system_call(SYS_getpid);
  u64 steps = 0;
  for (u32 ticks = 0;;) {
    timespec tick = {0, kTick};
    system_call(SYS_nanosleep, reinterpret_cast<long>(&tick));
    u64 now = control::steps();
    ticks = now == steps ? ticks + 1 : 0;
    steps = now;
    if (ticks < kMostIdleTicks) continue;
    ticks = kMostIdleTicks / 2;
    if (int runs = control::running_thread()) system_call(SYS_tgkill, process, runs, number);
  }
}

}  // namespace

void start_spin_watchdog() {
  if (!control::on()) return;
  // An execution of an exploration must not depend on a clock; the tool has a limit of its own.
  if (rt().explored) return;
  struct sigaction action = {};
  action.sa_handler = ask;
  action.sa_flags = SA_RESTART;
  fill(action.sa_mask);
  static int number = signal_number();
  if (real_sigaction(number, &action, nullptr) != 0) return;
  // It must not take the program's signals.
  constexpr usize kStack = 16 * 1024;
  auto* stack = static_cast<char*>(memory::map(kStack));
  u64 all = ~u64{0}, before = 0;
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&all), reinterpret_cast<long>(&before),
              8);
  __clone(watch, stack + kStack,
          CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, &number);
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&before), 0, 8);
}

}  // namespace heddle::threads
