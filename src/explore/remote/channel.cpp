#include "explore/remote/channel.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/types.hpp"

namespace heddle::explore {
namespace {

// Large enough for an execution of millions of steps; a damaged length must not exhaust the memory.
constexpr u64 kLongest = u64{1} << 32;

bool write_all(int descriptor, const char* data, usize size) {
  while (size > 0) {
    ssize_t done = ::write(descriptor, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data += done;
    size -= static_cast<usize>(done);
  }
  return true;
}

bool read_all(int descriptor, char* data, usize size) {
  while (size > 0) {
    ssize_t done = ::read(descriptor, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data += done;
    size -= static_cast<usize>(done);
  }
  return true;
}

}  // namespace

bool DescriptorChannel::send(std::string_view message) {
  u64 size = message.size();
  char head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  return write_all(out_, head, sizeof head) && write_all(out_, message.data(), message.size());
}

bool DescriptorChannel::ready(int milliseconds) {
  pollfd in{in_, POLLIN, 0};
  return poll(&in, 1, milliseconds) > 0;
}

std::optional<std::string> DescriptorChannel::receive() {
  u64 size = 0;
  char head[sizeof size];
  if (!read_all(in_, head, sizeof head)) return std::nullopt;
  std::memcpy(&size, head, sizeof size);
  if (size > kLongest) return std::nullopt;
  std::string message(size, 0);
  if (!read_all(in_, message.data(), size)) return std::nullopt;
  return message;
}

}  // namespace heddle::explore
