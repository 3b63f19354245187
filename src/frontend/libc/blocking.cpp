#include "frontend/libc/blocking.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/system_call.hpp"
#include "frontend/controlled.hpp"
#include "frontend/descriptor.hpp"

HEDDLE_REAL(int, poll, pollfd*, nfds_t, int);
HEDDLE_REAL(int, ppoll, pollfd*, nfds_t, const timespec*, const sigset_t*);
HEDDLE_REAL(int, pselect, int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*);

namespace heddle::libc {
namespace {

using controlled::Outcome;

long poll_now(pollfd* descriptors, nfds_t count) {
  return system_call(SYS_poll, reinterpret_cast<long>(descriptors), static_cast<long>(count), 0);
}

bool waits(int descriptor) {
  long flags = system_call(SYS_fcntl, descriptor, F_GETFL);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

// Waits; really blocks if no other actor is enabled: `block` is a call of the C library, because that can be
// cancelled, and returns -1 or not.
template <class Block>
Outcome wait_for(control::Pending pending, Block block) {
  pending.outside = true;
  Outcome outcome = controlled::wait(pending, controlled::Signals::kEndIt);
  if (outcome != Outcome::kOutside) return outcome;
  return controlled::outside(block) < 0 && errno == EINTR ? Outcome::kInterrupted : Outcome::kReady;
}

}  // namespace

bool wait_until_ready(int descriptor, short events, uptr caller) {
  DescriptorWish wish{descriptor, events};
  if (!waits(descriptor)) {
    if (control::explores()) control::assume(control::Assumption::kOneOrder);
    // A poll must let others run.
    if (!is_ready(&wish)) control::looked(caller);
    return true;
  }
  if (is_ready(&wish)) return true;
  Outcome outcome = wait_for({.object = static_cast<uptr>(descriptor),
                              .enabled = is_ready,
                              .data = &wish,
                              .what = events & POLLIN ? "waits for something to read" : "waits to write",
                              .pc = caller},
                             [&] {
                               pollfd one = {descriptor, events, 0};
                               return real_poll(&one, 1, -1);
                             });
  if (outcome != Outcome::kInterrupted) return true;
  errno = EINTR;
  return false;
}

ssize_t write_all(int descriptor, const void* from, usize size, int flags, uptr caller) {
  auto* bytes = static_cast<const char*>(from);
  struct stat about = {};
  const bool known = system_call(SYS_fstat, descriptor, reinterpret_cast<long>(&about)) == 0;
  // A writable pipe takes this much at once; a socket takes what it has room for.
  constexpr usize kPipe = 4096;
  const bool pipe = known && S_ISFIFO(about.st_mode), socket = known && S_ISSOCK(about.st_mode);
  usize done = 0;
  do {
    if (!wait_until_ready(descriptor, POLLOUT, caller)) break;
    const bool patient = waits(descriptor);
    usize part = size - done;
    if (pipe && patient && part > kPipe) part = kPipe;
    long result = socket && patient
                      ? system_call(SYS_sendto, descriptor, reinterpret_cast<long>(bytes + done),
                                    static_cast<long>(part), flags | MSG_DONTWAIT)
                      : system_call(SYS_write, descriptor, reinterpret_cast<long>(bytes + done),
                                    static_cast<long>(part));
    if (result == -EAGAIN && patient) continue;
    if (result < 0) {
      errno = static_cast<int>(-result);
      break;
    }
    done += static_cast<usize>(result);
    if (!patient || (!pipe && !socket)) return static_cast<ssize_t>(done);
  } while (done < size);
  return done > 0 || size == 0 ? static_cast<ssize_t>(done) : -1;
}

}  // namespace heddle::libc

// --- waiting for several ------------------------------------------------------------------------------------

using namespace heddle;
using libc::Outcome;

namespace {

constexpr u64 kMillisecond = 1'000'000;

u64 deadline_in_ms(int milliseconds) {
  return milliseconds < 0 ? control::kNoDeadline
                          : virtual_time::deadline_in(static_cast<u64>(milliseconds) * kMillisecond);
}
u64 deadline_in(const timespec* duration) {
  return duration ? virtual_time::deadline_in(virtual_time::nanoseconds(*duration)) : control::kNoDeadline;
}

// `look` polls without blocking and returns the number of ready ones; `block` waits (both with the kernel's results).
template <class Look, class Block>
int wait_for_any(uptr caller, const char* what, u64 deadline, Look look, Block block) {
  if (control::explores())
    control::assume(control::Assumption::kOneOrder);  // what was found first is no step
  long found = look();
  if (found == 0 && deadline <= control::now()) {
    control::looked(caller);
    found = look();
  } else if (found == 0) {
    auto enabled = [](void* it) { return (*static_cast<Look*>(it))() != 0; };
    Outcome outcome = libc::wait_for(
        {.enabled = enabled, .data = &look, .deadline = deadline, .what = what, .pc = caller}, block);
    found = outcome == Outcome::kInterrupted ? -EINTR : look();
  }
  if (found >= 0) return static_cast<int>(found);
  errno = static_cast<int>(-found);
  return -1;
}

long address(const volatile void* pointer) { return static_cast<long>(address_of(pointer)); }

int poll_as_actor(uptr caller, pollfd* descriptors, nfds_t count, u64 deadline, const timespec* most) {
  return wait_for_any(
      caller, "polls", deadline, [=] { return libc::poll_now(descriptors, count); },
      [=] { return real_ppoll(descriptors, count, most, nullptr); });
}

int select_as_actor(uptr caller, int count, fd_set* in, fd_set* out, fd_set* other, u64 deadline,
                    const timespec* most) {
  fd_set asked[3];
  fd_set* given[3] = {in, out, other};
  for (int i = 0; i < 3; ++i)
    if (given[i]) asked[i] = *given[i];
  auto look = [&]() -> long {
    for (int i = 0; i < 3; ++i)
      if (given[i]) *given[i] = asked[i];
    timespec none = {};
    return system_call(SYS_pselect6, count, address(in), address(out), address(other), address(&none), 0);
  };
  return wait_for_any(caller, "selects", deadline, look, [&] {
    fd_set scratch[3] = {asked[0], asked[1], asked[2]};
    return real_pselect(count, in ? &scratch[0] : nullptr, out ? &scratch[1] : nullptr,
                        other ? &scratch[2] : nullptr, most, nullptr);
  });
}

// Polling an epoll descriptor consumes events, so its readiness is polled through its own descriptor.
int epoll_as_actor(uptr caller, int epoll, epoll_event* events, int most, int milliseconds) {
  pollfd one = {epoll, POLLIN, 0};
  int ready = wait_for_any(
      caller, "waits for events", deadline_in_ms(milliseconds), [&] { return libc::poll_now(&one, 1); },
      [&] {
        pollfd other = {epoll, POLLIN, 0};
        return real_poll(&other, 1, milliseconds);
      });
  if (ready < 0) return ready;
  long found = system_call(SYS_epoll_wait, epoll, address(events), most, 0);
  if (found >= 0) return static_cast<int>(found);
  errno = static_cast<int>(-found);
  return -1;
}

timespec from_ms(int milliseconds) {
  return {milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1'000'000};
}

}  // namespace

HEDDLE_DEFINE(int, poll, pollfd* descriptors, nfds_t count, int milliseconds) {
  if (!control::active()) return real_poll(descriptors, count, milliseconds);
  timespec most = from_ms(milliseconds < 0 ? 0 : milliseconds);
  return poll_as_actor(HEDDLE_CALLER, descriptors, count, deadline_in_ms(milliseconds),
                       milliseconds < 0 ? nullptr : &most);
}
HEDDLE_DEFINE(int, ppoll, pollfd* descriptors, nfds_t count, const timespec* most, const sigset_t* mask) {
  if (!control::active()) return real_ppoll(descriptors, count, most, mask);
  // Another signal mask: it waits for a handler to run.
  if (mask) return controlled::outside([=] { return real_ppoll(descriptors, count, most, mask); });
  return poll_as_actor(HEDDLE_CALLER, descriptors, count, deadline_in(most), most);
}
HEDDLE_INTERPOSE(int, select, int count, fd_set* in, fd_set* out, fd_set* other, timeval* most) {
  if (!control::active()) return real_select(count, in, out, other, most);
  timespec converted = {};
  if (most) converted = {most->tv_sec, static_cast<long>(most->tv_usec) * 1000};
  return select_as_actor(HEDDLE_CALLER, count, in, out, other, deadline_in(most ? &converted : nullptr),
                         most ? &converted : nullptr);
}
HEDDLE_DEFINE(int, pselect, int count, fd_set* in, fd_set* out, fd_set* other, const timespec* most,
              const sigset_t* mask) {
  if (!control::active()) return real_pselect(count, in, out, other, most, mask);
  if (!mask) return select_as_actor(HEDDLE_CALLER, count, in, out, other, deadline_in(most), most);
  return controlled::outside([=] { return real_pselect(count, in, out, other, most, mask); });
}
HEDDLE_INTERPOSE(int, epoll_wait, int epoll, epoll_event* events, int most, int milliseconds) {
  if (!control::active()) return real_epoll_wait(epoll, events, most, milliseconds);
  return epoll_as_actor(HEDDLE_CALLER, epoll, events, most, milliseconds);
}

// --- waiting for children ----------------------------------------------------------------------------------

HEDDLE_REAL(int, waitid, idtype_t, id_t, siginfo_t*, int);

namespace {

template <class Real>
pid_t wait_for_child(uptr caller, idtype_t which, id_t id, int options, Real real) {
  if (!control::active() || (options & WNOHANG)) return real();
  struct Child {
    idtype_t which;
    id_t id;
    int options;
  } child{which, id, options};
  auto enabled = [](void* data) {
    auto* it = static_cast<Child*>(data);
    siginfo_t info = {};
    long result = system_call(SYS_waitid, it->which, static_cast<long>(it->id), address(&info),
                              WEXITED | WSTOPPED | WNOHANG | WNOWAIT);
    return result < 0 || info.si_pid != 0;
  };
  Outcome outcome = libc::wait_for(
      {.enabled = enabled, .data = &child, .what = "waits for a child process", .pc = caller}, [&] {
        siginfo_t info = {};
        return real_waitid(child.which, child.id, &info, WEXITED | WSTOPPED | WNOWAIT);
      });
  if (outcome == Outcome::kInterrupted) {
    errno = EINTR;
    return -1;
  }
  return real();
}

idtype_t kind_of(pid_t process) { return process > 0 ? P_PID : process == -1 ? P_ALL : P_PGID; }
id_t id_of(pid_t process) {
  return process == 0 ? static_cast<id_t>(system_call(SYS_getpgrp))
                      : static_cast<id_t>(process < 0 ? -process : process);
}

}  // namespace

HEDDLE_INTERPOSE(pid_t, waitpid, pid_t process, int* status, int options) {
  return wait_for_child(HEDDLE_CALLER, kind_of(process), id_of(process), options,
                        [=] { return real_waitpid(process, status, options); });
}
HEDDLE_INTERPOSE(pid_t, wait, int* status) {
  return wait_for_child(HEDDLE_CALLER, P_ALL, 0, 0, [=] { return real_wait(status); });
}
HEDDLE_INTERPOSE(pid_t, wait4, pid_t process, int* status, int options, struct rusage* usage) {
  return wait_for_child(HEDDLE_CALLER, kind_of(process), id_of(process), options,
                        [=] { return real_wait4(process, status, options, usage); });
}
