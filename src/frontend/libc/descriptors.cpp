#include "frontend/libc/descriptors.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "base/hash_map.hpp"
#include "control/control.hpp"
#include "control/guided.hpp"
#include "frontend/controlled.hpp"
#include "frontend/interpose.hpp"
#include "frontend/libc/blocking.hpp"
#include "runtime/log/raw_log.hpp"

namespace heddle::libc::descriptors {
namespace {

// Never freed: descriptors are few, and another thread may still use one that is being closed.
struct Channel {
  order::SyncObject object;
  // The first actor that used it so.
  std::atomic<const control::Actor*> writer{nullptr}, reader{nullptr};
  // Guarded by the baton: writes since the last read, and the strand of that.
  u32 unread = 0;
  const order::Task* read_by = nullptr;
  order::Index read_at = 0;
};
struct Ends {
  Channel* written = nullptr;
  Channel* read = nullptr;
};

SpinLock g_lock;
Global<HashMap<Ends>> g_open;
std::atomic<bool> g_any{false};  // most programs never use a channel

bool analysed() { return g_runtime && self(); }

void opened(int descriptor, Ends ends) {
  if (!analysed()) return;
  SpinGuard guard(g_lock);
  (*g_open)[static_cast<u32>(descriptor)] = ends;
  g_any.store(true, std::memory_order_release);
}

Ends find(int descriptor) {
  if (!g_any.load(std::memory_order_acquire)) return {};
  SpinGuard guard(g_lock);
  Ends* ends = g_open->find(static_cast<u32>(descriptor));
  return ends ? *ends : Ends{};
}

void closed(int descriptor) {
  if (!g_any.load(std::memory_order_acquire) || !analysed()) return;
  SpinGuard guard(g_lock);
  g_open->erase(static_cast<u32>(descriptor));
}

void duplicated(int from, int to) {
  if (to < 0 || from == to || !analysed()) return;
  Ends ends = find(from);
  if (ends.written || ends.read)
    opened(to, ends);
  else
    closed(to);
}

Channel* make_channel() { return memory::make<Channel>(); }

Channel* all_sockets() {
  static Channel* channel = nullptr;
  SpinGuard guard(g_lock);
  if (!channel) channel = make_channel();
  return channel;
}

// Reads and writes are no steps of an exploration. One that waits is enabled by what it waits for; but another order of
// them is not explored. Sockets share a channel, so different ones look like one.
void other_order_possible(const Channel& channel, const char* why) {
  if (&channel == all_sockets())
    control::assume(control::Assumption::kOneOrder);
  else
    control::give_up_exploring(why);
}
void used_by_actor(const Channel& channel, std::atomic<const control::Actor*>& first) {
  const control::Actor* none = nullptr;
  if (!first.compare_exchange_strong(none, control::current()) && none != control::current())
    other_order_possible(channel,
                         "several threads read from or write to one pipe: their order is not explored yet");
}
constexpr const char* kReadBetweenWrites =
    "a read from a pipe or eventfd may come before a second write: that is not explored yet";
void written_by_actor(Channel& channel, const ThreadState* thread) {
  used_by_actor(channel, channel.writer);
  ++channel.unread;
  // Could the last read have come after this write? Not if this one waited for it.
  if (thread && channel.read_by && channel.read_by != thread->context->task &&
      rt().order.known_in_full(*channel.read_by, *thread->context->task) < channel.read_at)
    other_order_possible(channel, kReadBetweenWrites);
}
void read_by_actor(Channel& channel, const ThreadState* thread) {
  used_by_actor(channel, channel.reader);
  if (channel.unread > 1) other_order_possible(channel, kReadBetweenWrites);
  channel.unread = 0;
  channel.read_by = thread ? thread->context->task : nullptr;
  channel.read_at = thread ? thread->context->task->now : 0;
}

int opened_socket(int descriptor) {
  if (descriptor >= 0 && analysed()) opened(descriptor, {all_sockets(), all_sockets()});
  return descriptor;
}
void opened_pipe(const int ends[2]) {
  if (!analysed()) return;
  Channel* channel = make_channel();
  opened(ends[0], {nullptr, channel});
  opened(ends[1], {channel, nullptr});
}

}  // namespace

void before_write(int descriptor, uptr caller) {
  Channel* channel = find(descriptor).written;
  ThreadState* thread = channel ? participant(caller) : nullptr;
  if (channel && control::active() && control::explores()) written_by_actor(*channel, thread);
  if (!thread) return;
  RuntimeScope scope(*thread);
  rt().order.publish(*thread->context->task, channel->object);
}

void after_read(int descriptor, uptr caller) {
  Channel* channel = find(descriptor).read;
  if (!channel || channel == all_sockets()) control::assume(control::Assumption::kInput);
  ThreadState* thread = channel ? participant(caller) : nullptr;
  if (channel && control::active() && control::explores()) read_by_actor(*channel, thread);
  if (!thread) return;
  RuntimeScope scope(*thread);
  rt().order.await(*thread->context->task, channel->object);
}

}  // namespace heddle::libc::descriptors

using namespace heddle;
using namespace heddle::libc::descriptors;

// --- making ------------------------------------------------------------------------------------------------

HEDDLE_INTERPOSE(int, pipe, int* ends) {
  int result = real_pipe(ends);
  if (result == 0) opened_pipe(ends);
  return result;
}
HEDDLE_INTERPOSE(int, pipe2, int* ends, int flags) {
  int result = real_pipe2(ends, flags);
  if (result == 0) opened_pipe(ends);
  return result;
}
HEDDLE_INTERPOSE(int, socketpair, int domain, int type, int protocol, int* ends) {
  int result = real_socketpair(domain, type, protocol, ends);
  if (result == 0 && analysed()) {
    Channel* there = make_channel();
    Channel* back = make_channel();
    opened(ends[0], {there, back});
    opened(ends[1], {back, there});
  }
  return result;
}
HEDDLE_INTERPOSE(int, eventfd, unsigned initial, int flags) {
  int descriptor = real_eventfd(initial, flags);
  if (descriptor >= 0 && analysed()) {
    Channel* channel = make_channel();
    channel->unread = initial ? 1 : 0;  // a read may find it, without what is added
    opened(descriptor, {channel, channel});
  }
  return descriptor;
}
HEDDLE_INTERPOSE(int, socket, int domain, int type, int protocol) {
  return opened_socket(real_socket(domain, type, protocol));
}
HEDDLE_INTERPOSE(int, accept, int listener, sockaddr* address, socklen_t* size) {
  if (!libc::ready_to_read(listener, HEDDLE_CALLER)) return -1;
  int descriptor = opened_socket(real_accept(listener, address, size));
  if (descriptor >= 0) after_read(descriptor, HEDDLE_CALLER);
  return descriptor;
}
HEDDLE_INTERPOSE(int, accept4, int listener, sockaddr* address, socklen_t* size, int flags) {
  if (!libc::ready_to_read(listener, HEDDLE_CALLER)) return -1;
  int descriptor = opened_socket(real_accept4(listener, address, size, flags));
  if (descriptor >= 0) after_read(descriptor, HEDDLE_CALLER);
  return descriptor;
}
HEDDLE_INTERPOSE(int, connect, int descriptor, const sockaddr* address, socklen_t size) {
  before_write(descriptor, HEDDLE_CALLER);
  return real_connect(descriptor, address, size);
}

// --- copying and closing: a close is the last event that a reader of the other end sees ---------------------------

// Daemons close all unknown descriptors; the log must stay open.
namespace {
bool is_the_log(int descriptor) {
  return descriptor >= 0 && g_runtime && rt().enabled && descriptor == raw_log::descriptor();
}
}  // namespace

HEDDLE_INTERPOSE(int, dup, int from) {
  int to = real_dup(from);
  duplicated(from, to);
  return to;
}
HEDDLE_INTERPOSE(int, dup2, int from, int to) {
  int result = real_dup2(from, to);
  duplicated(from, result);
  return result;
}
HEDDLE_INTERPOSE(int, dup3, int from, int to, int flags) {
  int result = real_dup3(from, to, flags);
  duplicated(from, result);
  return result;
}
HEDDLE_INTERPOSE(int, close, int descriptor) {
  if (is_the_log(descriptor)) {
    errno = EBADF;
    return -1;
  }
  before_write(descriptor, HEDDLE_CALLER);
  closed(descriptor);
  return real_close(descriptor);
}
HEDDLE_REAL(int, close_range, unsigned, unsigned, int);
namespace {
int close_all_but_the_log(unsigned first, unsigned last, int flags) {
  int log = g_runtime && rt().enabled ? raw_log::descriptor() : -1;
  auto number = static_cast<unsigned>(log);
  if (log < 0 || number < first || number > last) return real_close_range(first, last, flags);
  int below = number > first ? real_close_range(first, number - 1, flags) : 0;
  int above = number < last ? real_close_range(number + 1, last, flags) : 0;
  return below < 0 ? below : above;
}
}  // namespace
HEDDLE_DEFINE(int, close_range, unsigned first, unsigned last, int flags) {
  return close_all_but_the_log(first, last, flags);
}
HEDDLE_DEFINE(void, closefrom, int first) {
  close_all_but_the_log(static_cast<unsigned>(first < 0 ? 0 : first), ~0u, 0);
}
HEDDLE_INTERPOSE(int, shutdown, int descriptor, int how) {
  before_write(descriptor, HEDDLE_CALLER);
  return real_shutdown(descriptor, how);
}

// Locks of open files exclude threads, too, if these have opened the file separately. Who comes first is not explored.
namespace {
// `attempt` fails where `wait` would block.
template <class Attempt, class Wait>
int lock_file(uptr caller, bool waits, Attempt attempt, Wait wait) {
  if (!control::active()) return waits ? wait() : attempt();
  if (control::explores()) control::assume(control::Assumption::kOneOrder);
  const int result = attempt();
  if (result == 0 || (errno != EWOULDBLOCK && errno != EACCES)) return result;
  if (waits) return controlled::outside(wait);
  const int error = errno;
  control::looked(caller);
  errno = error;
  return result;
}
}  // namespace
HEDDLE_INTERPOSE(int, flock, int descriptor, int operation) {
  return lock_file(
      HEDDLE_CALLER, !(operation & LOCK_NB), [=] { return real_flock(descriptor, operation | LOCK_NB); },
      [=] { return real_flock(descriptor, operation); });
}

// fcntl can duplicate and lock, too. Its third argument is a number or a pointer: either fits a pointer.
namespace {
template <class Real>
int control_file(uptr caller, Real& real, int descriptor, int command, void* argument) {
  if (command == F_OFD_SETLK || command == F_OFD_SETLKW)
    return lock_file(
        caller, command == F_OFD_SETLKW, [&] { return real(descriptor, F_OFD_SETLK, argument); },
        [&] { return real(descriptor, F_OFD_SETLKW, argument); });
  const int result = real(descriptor, command, argument);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) duplicated(descriptor, result);
  return result;
}
}  // namespace
HEDDLE_REAL(int, fcntl, int, int, void*);
HEDDLE_REAL(int, fcntl64, int, int, void*);
HEDDLE_DEFINE(int, fcntl, int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control_file(HEDDLE_CALLER, real_fcntl, descriptor, command, argument);
}
HEDDLE_DEFINE(int, fcntl64, int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return control_file(HEDDLE_CALLER, real_fcntl64, descriptor, command, argument);
}
