// Whole files, read and written so that nothing is lost on the way: an interrupted call is made again, half a write
// is continued, and a read that fails is an error. The streams of the standard library take it for the end of the
// file, and take running out of memory for it, too.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace heddle {

// 0, or the number of the error.
inline int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

// As read(2), but not interrupted.
inline ssize_t read_some(int descriptor, char* into, std::size_t size) {
  for (;;)
    if (const ssize_t got = ::read(descriptor, into, size); got >= 0 || errno != EINTR) return got;
}

// Appends what there is up to the end. 0, or the number of the error.
inline int read_all(int descriptor, std::string& text) {
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t got = read_some(descriptor, part.data(), part.size());
    if (got <= 0) return got < 0 ? errno : 0;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

// The error is the cause alone: the caller knows what the file is to the user.
inline Result<std::string> read_file(const std::string& path) {
  struct Opened {
    const int descriptor;
    ~Opened() {
      if (descriptor >= 0) ::close(descriptor);
    }
  };
  const Opened file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string text;
  const int error = file.descriptor < 0 ? errno : read_all(file.descriptor, text);
  if (error != 0) return Error{std::strerror(error)};
  return text;
}

// Without their newlines; the last one may have none.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace heddle
