// Unix signals. A handler runs as part of the strand it interrupts; it happens after the send, if the program itself
// sent the signal.
//
// A fatal signal first closes the log. For that we replace the default action, and only that: the program sees and
// changes dispositions as if we were not there.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/signal_set.hpp"
#include "base/system_call.hpp"
#include "control/strategy.hpp"
#include "frontend/access_section.hpp"
#include "frontend/controlled.hpp"
#include "frontend/threads/actors.hpp"
#include "frontend/threads/start.hpp"
#include "frontend/threads/threads.hpp"
#include "runtime/locks/hangs.hpp"
#include "runtime/log/raw_log.hpp"

HEDDLE_REAL(int, sigaction, int, const struct sigaction*, struct sigaction*);

namespace heddle::threads {
namespace {

constexpr int kSignals = 65;  // numbers 1 to 64
constexpr int kFatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTERM, SIGINT, SIGHUP, SIGQUIT};

// The program's disposition, where the kernel has ours.
enum class Ours : u8 { kNothing, kDefault, kHandler };
struct Disposition {
  Ours ours;
  bool with_info;              // SA_SIGINFO
  std::atomic<void*> handler;  // the program's
};
SpinLock g_lock;
Global<Disposition[kSignals]> g_dispositions;
Global<order::SyncObject[kSignals]> g_sent;
std::atomic<bool> g_aborting{false};

bool valid(int signal) { return signal > 0 && signal < kSignals; }
bool is_fatal(int signal) {
  for (int fatal : kFatal)
    if (fatal == signal) return true;
  return false;
}

// --- the end by a signal -----------------------------------------------------------------------------------

void close_log(int signal) {
  char reason[] = "signal 00";
  usize at = sizeof "signal " - 1;
  if (signal >= 10) reason[at++] = static_cast<char>('0' + signal / 10);
  reason[at++] = static_cast<char>('0' + signal % 10);
  reason[at] = 0;
  if (g_runtime && rt().enabled) raw_log::close(reason);
}

// A fault happens again when the handler returns; a signal that was sent must be sent again.
void end_by(int signal, siginfo_t* info, void*) {
  int saved = errno;
  close_log(signal);
  struct sigaction default_action = {};
  default_action.sa_handler = SIG_DFL;
  real_sigaction(signal, &default_action, nullptr);
  if (info->si_code <= 0) system_call(SYS_tgkill, system_call(SYS_getpid), system_call(SYS_gettid), signal);
  errno = saved;
}

struct sigaction ending_action() {
  struct sigaction action = {};
  action.sa_sigaction = end_by;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  return action;
}

// --- the program's handlers --------------------------------------------------------------------------------

void run_handler(int signal, siginfo_t* info, void* context) {
  if (control::on()) {
    control::assume(control::Assumption::kSignals);
    control::enter_handler(reinterpret_cast<uptr>(__builtin_frame_address(0)));
  }
  Disposition& disposition = (*g_dispositions)[signal];
  void* handler = disposition.handler.load(std::memory_order_acquire);
  ThreadState* thread = self();
  Frame* top = thread ? thread->top : nullptr;
  // The handler is then not checked, as inside the runtime.
  const bool unseen = thread && thread->active && interrupts_an_access(context);
  if (unseen) {
    ++thread->inside;
    thread->active = false;
  }
  if (thread && thread->active) await_on(*thread, (*g_sent)[signal]);
  if (disposition.with_info)
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(handler)(signal, info, context);
  else
    reinterpret_cast<void (*)(int)>(handler)(signal);
  if (unseen && thread == self()) {
    --thread->inside;
    thread->active = true;
  }
  if (thread && thread == self()) {
    thread->top = thread->frames <= top && top <= thread->frames_end ? top : thread->top;
  }
  if (signal == SIGABRT && g_aborting.load(std::memory_order_relaxed)) close_log(signal);
  if (control::on()) control::leave_handler();
}

bool is_handler(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

int set_action(int signal, const struct sigaction* wanted, struct sigaction* old) {
  if (!valid(signal) || !self()) return real_sigaction(signal, wanted, old);
  SpinGuard guard(g_lock);
  Disposition& disposition = (*g_dispositions)[signal];
  Ours before = disposition.ours;
  void* handler_before = disposition.handler.load(std::memory_order_relaxed);
  bool info_before = disposition.with_info;
  struct sigaction given;
  Ours ours = Ours::kNothing;
  if (wanted) {
    given = *wanted;
    if (is_handler(*wanted)) {
      ours = Ours::kHandler;
      given.sa_sigaction = run_handler;
      given.sa_flags |= SA_SIGINFO;
      disposition.with_info = wanted->sa_flags & SA_SIGINFO;
      disposition.handler.store(reinterpret_cast<void*>(wanted->sa_handler), std::memory_order_release);
    } else if (wanted->sa_handler == SIG_DFL && is_fatal(signal)) {
      ours = Ours::kDefault;
      given = ending_action();
    }
  }
  struct sigaction previous;
  int result = real_sigaction(signal, wanted ? &given : nullptr, &previous);
  if (result != 0) {
    disposition.handler.store(handler_before, std::memory_order_relaxed);
    disposition.with_info = info_before;
    return result;
  }
  // A one-shot handler has reset itself to the default.
  bool used_up = before == Ours::kHandler && previous.sa_handler == SIG_DFL;
  if (old) {
    *old = previous;
    if (before == Ours::kDefault) {
      old->sa_handler = SIG_DFL;
      old->sa_flags = 0;
    } else if (before == Ours::kHandler && !used_up) {
      old->sa_handler = reinterpret_cast<void (*)(int)>(handler_before);
      if (!info_before) old->sa_flags &= ~SA_SIGINFO;
    }
  }
  if (wanted) disposition.ours = ours;
  if (ours == Ours::kHandler) hangs::note_handler();
  return result;
}

}  // namespace

// A stack overflow leaves no room for a handler, hence the separate stack (the initial thread's: other threads then
// end without a last line in the log, which loses only counts).
void start_signals() {
  constexpr usize kStack = 64 * 1024;  // closing the log needs some 10 KiB
  stack_t alternative = {};
  if (system_call(SYS_sigaltstack, nullptr, &alternative) == 0 && alternative.ss_flags & SS_DISABLE) {
    alternative.ss_sp = memory::map(kStack);
    alternative.ss_size = kStack;
    alternative.ss_flags = 0;
    system_call(SYS_sigaltstack, &alternative, nullptr);
  }
  for (int signal : kFatal) {
    struct sigaction now;
    if (real_sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ending = ending_action();
    if (real_sigaction(signal, &ending, nullptr) == 0) (*g_dispositions)[signal].ours = Ours::kDefault;
  }
}

namespace {

// The send of a signal happens before its handler.
void sending(uptr caller, int signal) {
  ThreadState* thread = valid(signal) ? participant(caller) : nullptr;
  if (thread) publish_to(*thread, (*g_sent)[signal]);
}
// To one thread: its wait ends if a handler of the program will run.
void sent_to(pthread_t target, int signal) {
  if (!control::active() || !valid(signal)) return;
  control::Actor* actor = actor_of(target);
  if (!actor || actor == control::current()) return;
  bool blocked = actor->signal_mask >> (signal - 1) & 1;
  if (!blocked && (*g_dispositions)[signal].ours == Ours::kHandler)
    control::interrupt(actor, control::kBySignal);
}

// Waits for one of a set of signals, under the verification runtime: is one pending for the process? Those that were
// sent to one thread are visible to that thread only, so it checks again before it leaves the baton.
struct PendingSignals {
  const sigset_t* set;
};
bool is_pending(void* data) {
  u64 pending = 0;
  return system_call(SYS_rt_sigpending, &pending, sizeof pending) == 0 &&
         (pending & word_of(*static_cast<PendingSignals*>(data)->set)) != 0;
}
// Zero: one is pending. ETIMEDOUT: none is, and the time is over.
int wait_for_signal(uptr caller, const sigset_t* set, u64 deadline, bool& outside) {
  PendingSignals wish{set};
  outside = false;
  if (is_pending(&wish)) return 0;
  Outcome outcome = wait({.outside = true,
                          .enabled = is_pending,
                          .data = &wish,
                          .deadline = deadline,
                          .what = "waits for a signal",
                          .pc = caller});
  outside = outcome == Outcome::kOutside;
  return outcome == Outcome::kTimedOut ? ETIMEDOUT : 0;
}

int taken(uptr caller, int signal) {
  ThreadState* thread = valid(signal) ? participant(caller) : nullptr;
  if (thread) await_on(*thread, (*g_sent)[signal]);
  return signal;
}

}  // namespace
}  // namespace heddle::threads

using namespace heddle;

HEDDLE_DEFINE(int, sigaction, int signal, const struct sigaction* wanted, struct sigaction* old) {
  return threads::set_action(signal, wanted, old);
}
HEDDLE_INTERPOSE(sighandler_t, signal, int number, sighandler_t handler) {
  if (handler == SIG_ERR || !self()) return real_signal(number, handler);
  struct sigaction wanted = {}, old = {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  wanted.sa_mask = only(number);
  return threads::set_action(number, &wanted, &old) == 0 ? old.sa_handler : SIG_ERR;
}

HEDDLE_INTERPOSE(int, kill, pid_t process, int signal) {
  threads::sending(HEDDLE_CALLER, signal);
  return real_kill(process, signal);
}
HEDDLE_INTERPOSE(int, raise, int signal) {
  threads::sending(HEDDLE_CALLER, signal);
  return real_raise(signal);
}
HEDDLE_INTERPOSE(int, pthread_kill, pthread_t thread, int signal) {
  threads::sending(HEDDLE_CALLER, signal);
  int result = real_pthread_kill(thread, signal);
  if (result == 0) threads::sent_to(thread, signal);
  return result;
}
HEDDLE_INTERPOSE(int, sigqueue, pid_t process, int signal, const sigval value) {
  threads::sending(HEDDLE_CALLER, signal);
  return real_sigqueue(process, signal, value);
}
HEDDLE_INTERPOSE(int, pthread_sigqueue, pthread_t thread, int signal, const sigval value) {
  threads::sending(HEDDLE_CALLER, signal);
  int result = real_pthread_sigqueue(thread, signal, value);
  if (result == 0) threads::sent_to(thread, signal);
  return result;
}

namespace {
// `real` takes a signal, and waits for one if it must.
template <class Real>
int take_signal(uptr caller, const sigset_t* set, u64 deadline, Real real) {
  if (!control::active()) return real();
  control::assume(control::Assumption::kSignals);  // which of several waiting threads gets it
  bool outside;
  if (int error = threads::wait_for_signal(caller, set, deadline, outside)) {
    errno = error == ETIMEDOUT ? EAGAIN : error;
    return -1;
  }
  return outside ? threads::outside(real) : real();
}
}  // namespace

HEDDLE_INTERPOSE(int, sigwait, const sigset_t* set, int* signal) {
  int result =
      take_signal(HEDDLE_CALLER, set, control::kNoDeadline, [=] { return real_sigwait(set, signal); });
  if (result == 0) threads::taken(HEDDLE_CALLER, *signal);
  return result;
}
HEDDLE_INTERPOSE(int, sigwaitinfo, const sigset_t* set, siginfo_t* info) {
  return threads::taken(HEDDLE_CALLER, take_signal(HEDDLE_CALLER, set, control::kNoDeadline,
                                                   [=] { return real_sigwaitinfo(set, info); }));
}
HEDDLE_INTERPOSE(int, sigtimedwait, const sigset_t* set, siginfo_t* info, const timespec* most) {
  u64 deadline = control::active() && most ? virtual_time::deadline_in(virtual_time::nanoseconds(*most))
                                           : control::kNoDeadline;
  return threads::taken(HEDDLE_CALLER, take_signal(HEDDLE_CALLER, set, deadline,
                                                   [=] { return real_sigtimedwait(set, info, most); }));
}
// These wait until a handler has run.
HEDDLE_INTERPOSE(int, pause) {
  return control::active() ? threads::outside([] { return real_pause(); }) : real_pause();
}
HEDDLE_INTERPOSE(int, sigsuspend, const sigset_t* mask) {
  return control::active() ? threads::outside([=] { return real_sigsuspend(mask); }) : real_sigsuspend(mask);
}

HEDDLE_REAL(void, abort);
HEDDLE_DEFINE(void, abort) {
  threads::g_aborting.store(
      true, std::memory_order_relaxed);  // a handler of the program's may return: then that was the end
  real_abort();
  __builtin_unreachable();
}
