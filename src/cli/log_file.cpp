#include "cli/log_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace heddle::cli {
namespace {

// Programs close descriptors they did not open (daemons the first dozens, shells reuse 10 and up), so ours is
// far away. Not beyond 255: fd_set and soft limits of 256 exist.
constexpr int kLowestDescriptor = 200;

int open_unnamed() {
  const char* directory = std::getenv("TMPDIR");
  const std::string place = directory && *directory ? directory : "/tmp";
  const int fd = open(place.c_str(), O_TMPFILE | O_RDWR | O_APPEND, 0600);
  if (fd >= 0) return fd;
  // Not every file system has O_TMPFILE.
  std::string name = place + "/heddle-log-XXXXXX";
  const int named = mkostemp(name.data(), O_APPEND);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

report::Result<LogFile> LogFile::create(const std::string& path) {
  const int fd =
      path.empty() ? open_unnamed() : open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
  if (fd < 0)
    return report::Error{"cannot make the raw log" + (path.empty() ? " in $TMPDIR" : " '" + path + "'") +
                         ": " + std::strerror(errno)};
  const int far = fcntl(fd, F_DUPFD, kLowestDescriptor);
  if (far < 0) return LogFile(fd);
  close(fd);
  return LogFile(far);
}

LogFile::LogFile(LogFile&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }

LogFile::~LogFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void LogFile::append(const std::string& line) {
  // A log that cannot be written shows when it is read: the program's lines are missing too.
  [[maybe_unused]] const ssize_t written = write(descriptor_, line.data(), line.size());
}

report::Result<report::RawLog> LogFile::read() const {
  return report::read_raw_log_file("/proc/self/fd/" + std::to_string(descriptor_));
}

std::string LogFile::lines_from(std::uint64_t offset) const {
  std::string lines;
  char part[4096];
  for (ssize_t n; (n = pread(descriptor_, part, sizeof part, static_cast<off_t>(offset + lines.size()))) > 0;)
    lines.append(part, static_cast<std::size_t>(n));
  const std::size_t last = lines.rfind('\n');
  lines.resize(last == std::string::npos ? 0 : last + 1);
  return lines;
}

}  // namespace heddle::cli
