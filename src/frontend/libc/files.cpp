// Reading and writing by descriptor: an access to the buffer, and perhaps a signal (descriptors.hpp).
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "frontend/libc/blocking.hpp"
#include "frontend/libc/descriptors.hpp"
#include "frontend/range_call.hpp"
#include "frontend/virtual_time.hpp"

extern "C" [[noreturn]] void __chk_fail();
HEDDLE_REAL(size_t, strlen, const char*);

namespace {

using namespace heddle;
namespace descriptors = libc::descriptors;

// After a call that put `got` bytes (or failed) into a buffer.
HEDDLE_INLINE ssize_t received(RangeCall& call, int descriptor, uptr caller, void* to, ssize_t got) {
  if (got > 0) {
    call.writes(to, static_cast<usize>(got));
    descriptors::after_read(descriptor, caller);
  } else if (got == 0) {
    descriptors::after_read(descriptor, caller);  // the end of the file synchronises too
  }
  return got;
}
// Before a call that passes a buffer to the kernel.
HEDDLE_INLINE void sends(RangeCall& call, int descriptor, uptr caller, const void* from, usize size) {
  call.reads(from, size);
  descriptors::before_write(descriptor, caller);
}

HEDDLE_INLINE ssize_t received_parts(RangeCall& call, int descriptor, uptr caller, const iovec* parts,
                                     usize count, ssize_t got) {
  if (got < 0) return got;
  usize left = static_cast<usize>(got);
  for (usize i = 0; i < count && left; ++i) {
    usize size = parts[i].iov_len < left ? parts[i].iov_len : left;
    call.writes(parts[i].iov_base, size);
    left -= size;
  }
  descriptors::after_read(descriptor, caller);
  return got;
}
HEDDLE_INLINE void sends_parts(RangeCall& call, int descriptor, uptr caller, const iovec* parts,
                               usize count) {
  for (usize i = 0; i < count; ++i) call.reads(parts[i].iov_base, parts[i].iov_len);
  descriptors::before_write(descriptor, caller);
}

}  // namespace

// --- in ----------------------------------------------------------------------------------------------------

HEDDLE_INTERPOSE(ssize_t, read, int file, void* to, size_t size) {
  HEDDLE_RANGE_CALL(call);
  if (!libc::ready_to_read(file, HEDDLE_CALLER)) return -1;
  return received(call, file, HEDDLE_CALLER, to, real_read(file, to, size));
}
HEDDLE_DEFINE(ssize_t, __read_chk, int file, void* to, size_t size, size_t room) {
  HEDDLE_RANGE_CALL(call);
  if (!libc::ready_to_read(file, HEDDLE_CALLER)) return -1;
  if (size > room) __chk_fail();
  return received(call, file, HEDDLE_CALLER, to, real_read(file, to, size));
}
HEDDLE_INTERPOSE(ssize_t, pread, int file, void* to, size_t size, off_t offset) {
  HEDDLE_RANGE_CALL(call);
  return received(call, file, HEDDLE_CALLER, to, real_pread(file, to, size, offset));
}
HEDDLE_INTERPOSE(ssize_t, pread64, int file, void* to, size_t size, off64_t offset) {
  HEDDLE_RANGE_CALL(call);
  return received(call, file, HEDDLE_CALLER, to, real_pread64(file, to, size, offset));
}
HEDDLE_INTERPOSE(ssize_t, readv, int file, const iovec* parts, int count) {
  HEDDLE_RANGE_CALL(call);
  if (!libc::ready_to_read(file, HEDDLE_CALLER)) return -1;
  return received_parts(call, file, HEDDLE_CALLER, parts, static_cast<usize>(count),
                        real_readv(file, parts, count));
}
HEDDLE_INTERPOSE(ssize_t, recv, int socket, void* to, size_t size, int flags) {
  HEDDLE_RANGE_CALL(call);
  if (!(flags & MSG_DONTWAIT) && !libc::ready_to_read(socket, HEDDLE_CALLER)) return -1;
  return received(call, socket, HEDDLE_CALLER, to, real_recv(socket, to, size, flags));
}
HEDDLE_INTERPOSE(ssize_t, recvfrom, int socket, void* to, size_t size, int flags, sockaddr* from,
                 socklen_t* from_size) {
  HEDDLE_RANGE_CALL(call);
  if (!(flags & MSG_DONTWAIT) && !libc::ready_to_read(socket, HEDDLE_CALLER)) return -1;
  return received(call, socket, HEDDLE_CALLER, to, real_recvfrom(socket, to, size, flags, from, from_size));
}
HEDDLE_INTERPOSE(ssize_t, recvmsg, int socket, msghdr* message, int flags) {
  HEDDLE_RANGE_CALL(call);
  if (!(flags & MSG_DONTWAIT) && !libc::ready_to_read(socket, HEDDLE_CALLER)) return -1;
  ssize_t got = real_recvmsg(socket, message, flags);
  return received_parts(call, socket, HEDDLE_CALLER, message->msg_iov, message->msg_iovlen, got);
}
HEDDLE_INTERPOSE(int, eventfd_read, int file, eventfd_t* value) {
  HEDDLE_RANGE_CALL(call);
  if (!libc::ready_to_read(file, HEDDLE_CALLER)) return -1;
  int result = real_eventfd_read(file, value);
  if (result == 0) received(call, file, HEDDLE_CALLER, value, sizeof *value);
  return result;
}
HEDDLE_INTERPOSE(char*, getcwd, char* to, size_t size) {
  HEDDLE_RANGE_CALL(call);
  char* path = real_getcwd(to, size);
  if (path && call) call.writes(path, real_strlen(path) + 1);
  return path;
}

// --- out ---------------------------------------------------------------------------------------------------

HEDDLE_INTERPOSE(ssize_t, write, int file, const void* from, size_t size) {
  HEDDLE_RANGE_CALL(call);
  sends(call, file, HEDDLE_CALLER, from, size);
  if (control::active()) return libc::write_all(file, from, size, 0, HEDDLE_CALLER);
  return real_write(file, from, size);
}
HEDDLE_INTERPOSE(ssize_t, pwrite, int file, const void* from, size_t size, off_t offset) {
  HEDDLE_RANGE_CALL(call);
  sends(call, file, HEDDLE_CALLER, from, size);
  return real_pwrite(file, from, size, offset);
}
HEDDLE_INTERPOSE(ssize_t, pwrite64, int file, const void* from, size_t size, off64_t offset) {
  HEDDLE_RANGE_CALL(call);
  sends(call, file, HEDDLE_CALLER, from, size);
  return real_pwrite64(file, from, size, offset);
}
HEDDLE_INTERPOSE(ssize_t, writev, int file, const iovec* parts, int count) {
  HEDDLE_RANGE_CALL(call);
  sends_parts(call, file, HEDDLE_CALLER, parts, static_cast<usize>(count));
  if (!libc::ready_to_write(file, HEDDLE_CALLER)) return -1;
  return real_writev(file, parts, count);
}
HEDDLE_INTERPOSE(ssize_t, send, int socket, const void* from, size_t size, int flags) {
  HEDDLE_RANGE_CALL(call);
  sends(call, socket, HEDDLE_CALLER, from, size);
  if (control::active() && !(flags & MSG_DONTWAIT))
    return libc::write_all(socket, from, size, flags, HEDDLE_CALLER);
  return real_send(socket, from, size, flags);
}
HEDDLE_INTERPOSE(ssize_t, sendto, int socket, const void* from, size_t size, int flags, const sockaddr* to,
                 socklen_t to_size) {
  HEDDLE_RANGE_CALL(call);
  sends(call, socket, HEDDLE_CALLER, from, size);
  if (!(flags & MSG_DONTWAIT) && !libc::ready_to_write(socket, HEDDLE_CALLER)) return -1;
  return real_sendto(socket, from, size, flags, to, to_size);
}
HEDDLE_INTERPOSE(ssize_t, sendmsg, int socket, const msghdr* message, int flags) {
  HEDDLE_RANGE_CALL(call);
  sends_parts(call, socket, HEDDLE_CALLER, message->msg_iov, message->msg_iovlen);
  if (!(flags & MSG_DONTWAIT) && !libc::ready_to_write(socket, HEDDLE_CALLER)) return -1;
  return real_sendmsg(socket, message, flags);
}
HEDDLE_INTERPOSE(int, eventfd_write, int file, eventfd_t value) {
  descriptors::before_write(file, HEDDLE_CALLER);
  if (!libc::ready_to_write(file, HEDDLE_CALLER)) return -1;
  return real_eventfd_write(file, value);
}

// --- results by pointer ------------------------------------------------------------------------------------

HEDDLE_INTERPOSE(int, clock_gettime, clockid_t clock, timespec* now) {
  HEDDLE_RANGE_CALL(call);
  int result = 0;
  if (control::active() && virtual_time::is_virtual(clock))
    *now = virtual_time::read(clock);
  else
    result = real_clock_gettime(clock, now);
  if (result == 0) call.writes(now, sizeof *now);
  return result;
}
HEDDLE_INTERPOSE(int, timespec_get, timespec* now, int base) {
  HEDDLE_RANGE_CALL(call);
  int result = base;
  if (control::active() && base == TIME_UTC)
    *now = virtual_time::read(CLOCK_REALTIME);
  else
    result = real_timespec_get(now, base);
  if (result != 0) call.writes(now, sizeof *now);
  return result;
}
HEDDLE_INTERPOSE(int, gettimeofday, timeval* now, void* zone) {
  HEDDLE_RANGE_CALL(call);
  int result = real_gettimeofday(now, zone);
  if (result == 0 && now && control::active()) {
    timespec at = virtual_time::read(CLOCK_REALTIME);
    *now = {at.tv_sec, at.tv_nsec / 1000};
  }
  if (result == 0 && now) call.writes(now, sizeof *now);
  return result;
}
HEDDLE_INTERPOSE(time_t, time, time_t* now) {
  HEDDLE_RANGE_CALL(call);
  time_t result = control::active() ? virtual_time::read(CLOCK_REALTIME).tv_sec : real_time(now);
  if (now) {
    *now = result;
    call.writes(now, sizeof *now);
  }
  return result;
}
HEDDLE_INTERPOSE(int, fstat, int file, struct stat* about) {
  HEDDLE_RANGE_CALL(call);
  int result = real_fstat(file, about);
  if (result == 0) call.writes(about, sizeof *about);
  return result;
}
HEDDLE_INTERPOSE(int, stat, const char* path, struct stat* about) {
  HEDDLE_RANGE_CALL(call);
  int result = real_stat(path, about);
  if (result == 0) call.writes(about, sizeof *about);
  return result;
}
