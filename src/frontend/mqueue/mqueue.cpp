// POSIX message queues: a message is a signal from its sender to its receiver. Which of several messages was received
// is not tracked, so a receiver acquires from all that were sent so far; room in a full queue is no signal, as with
// pipes.
//
// A queue may be opened several times, with different descriptors: they share the inode.
#include <mqueue.h>
#include <poll.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/system_call.hpp"
#include "frontend/controlled.hpp"
#include "frontend/descriptor.hpp"
#include "frontend/interpose.hpp"
#include "frontend/range_call.hpp"

namespace heddle::mqueue {
namespace {

using controlled::Outcome;

// No address of a program has this bit.
constexpr uptr kQueue = uptr{1} << 60;

uptr object_of(mqd_t queue) {
  struct stat about = {};
  return system_call(SYS_fstat, queue, &about) == 0 ? kQueue | about.st_ino : 0;
}

bool waits(mqd_t queue) {
  mq_attr attributes = {};
  return system_call(SYS_mq_getsetattr, queue, nullptr, &attributes) == 0 &&
         !(attributes.mq_flags & O_NONBLOCK);
}

// Under the verification runtime: a choice point, until the call does not block or times out. kReady if the call may
// be made. Other processes may have opened the queue, too.
Outcome choose(DescriptorWish wish, const timespec* until, const char* what, uptr caller) {
  control::Pending pending = {.outside = true,
                              .timed = until != nullptr,
                              .object = object_of(wish.descriptor),
                              .enabled = is_ready,
                              .data = &wish,
                              .what = what,
                              .pc = caller};
  // The call itself rejects an invalid time.
  if (!waits(wish.descriptor) || (until && !virtual_time::is_valid(*until))) {
    pending.op = control::Op::kChoice;
    pending.enabled = nullptr;
    return control::choose(pending);
  }
  pending.takes = true;  // the order decides who gets which message
  pending.deadline = controlled::deadline_of(CLOCK_REALTIME, until);
  return controlled::wait(pending, controlled::Signals::kEndIt);
}

// Makes the call when it may be made; -1 if it has failed, or may not.
template <class Call>
auto make(DescriptorWish wish, const timespec* until, const char* what, uptr caller, Call call)
    -> decltype(call()) {
  if (!control::active()) return call();
  const Outcome outcome = choose(wish, until, what, caller);
  if (outcome == Outcome::kTimedOut || outcome == Outcome::kInterrupted) {
    errno = outcome == Outcome::kTimedOut ? ETIMEDOUT : EINTR;
    return -1;
  }
  auto result = outcome == Outcome::kOutside ? controlled::outside(call) : call();
  const int error = errno;
  if (result < 0 && error == EAGAIN) control::looked(caller);
  errno = error;
  return result;
}

struct Message {
  const void* at;
  size_t size;
};

template <class Call>
int send(mqd_t queue, Message message, const timespec* until, RangeCall range, uptr caller, Call call) {
  const int result = make({queue, POLLOUT}, until, "sends a message", caller, [=]() mutable {
    range.reads(message.at, message.size);
    // Before the receiver can get it.
    const uptr object = object_of(queue);
    if (ThreadState* thread = object ? participant(caller) : nullptr) {
      RuntimeScope scope(*thread);
      publish(*thread, object, SyncTable::kOther);
    }
    return call();
  });
  if (control::active()) control::cut();
  return result;
}

template <class Call>
ssize_t receive(mqd_t queue, const void* to, const unsigned* priority, const timespec* until, RangeCall range,
                uptr caller, Call call) {
  const ssize_t result = make({queue, POLLIN}, until, "waits for a message", caller, call);
  if (result < 0) return result;
  control::assume(control::Assumption::kInput);
  if (ThreadState* thread = participant(caller)) {
    RuntimeScope scope(*thread);
    await(*thread, object_of(queue), SyncTable::kOther);
  }
  range.writes(to, static_cast<usize>(result));
  if (priority) range.writes(priority, sizeof *priority);
  return result;
}

}  // namespace
}  // namespace heddle::mqueue

using namespace heddle;

// How many messages there are is no step of an exploration.
HEDDLE_INTERPOSE(int, mq_getattr, mqd_t queue, mq_attr* attributes) {
  if (control::active() && control::explores()) control::assume(control::Assumption::kOneOrder);
  return real_mq_getattr(queue, attributes);
}
HEDDLE_INTERPOSE(int, mq_send, mqd_t queue, const char* message, size_t size, unsigned priority) {
  HEDDLE_RANGE_CALL(range);
  return mqueue::send(queue, {message, size}, nullptr, range, HEDDLE_CALLER,
                      [=] { return real_mq_send(queue, message, size, priority); });
}
HEDDLE_INTERPOSE(int, mq_timedsend, mqd_t queue, const char* message, size_t size, unsigned priority,
                 const timespec* until) {
  HEDDLE_RANGE_CALL(range);
  return mqueue::send(queue, {message, size}, until, range, HEDDLE_CALLER,
                      [=] { return real_mq_timedsend(queue, message, size, priority, until); });
}
HEDDLE_INTERPOSE(ssize_t, mq_receive, mqd_t queue, char* message, size_t size, unsigned* priority) {
  HEDDLE_RANGE_CALL(range);
  return mqueue::receive(queue, message, priority, nullptr, range, HEDDLE_CALLER,
                         [=] { return real_mq_receive(queue, message, size, priority); });
}
HEDDLE_INTERPOSE(ssize_t, mq_timedreceive, mqd_t queue, char* message, size_t size, unsigned* priority,
                 const timespec* until) {
  HEDDLE_RANGE_CALL(range);
  return mqueue::receive(queue, message, priority, until, range, HEDDLE_CALLER,
                         [=] { return real_mq_timedreceive(queue, message, size, priority, until); });
}
