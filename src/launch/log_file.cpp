#include "launch/log_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "output/output_file.hpp"

namespace heddle::launch {
namespace {

// Programs close descriptors that they did not open (daemons the first dozens, shells reuse 10 and up), so ours has a
// high number. Not above 255: fd_set and soft limits of 256 exist.
constexpr int kLowestDescriptor = 200;

// A copy with a high number, inherited by the program.
int far_copy(int descriptor) {
  const int far = fcntl(descriptor, F_DUPFD, kLowestDescriptor);
  return far >= 0 ? far : fcntl(descriptor, F_DUPFD, STDERR_FILENO + 1);  // a lower limit
}

}  // namespace

Result<LogFile> LogFile::create(const std::string& path) {
  const auto cannot = [&](const std::string& why) {
    return Error{"cannot create the raw log" + (path.empty() ? " in $TMPDIR" : " '" + path + "'") + ": " +
                 why};
  };
  int far = -1;
  if (path.empty()) {
    const int unnamed = output::open_unnamed();
    if (unnamed < 0) return cannot(std::strerror(errno));
    far = far_copy(unnamed);
    close(unnamed);
  } else {
    auto file = output::OutputFile::create(path);
    if (!file) return Error{file.error()};
    if (!file->is_regular())
      return cannot("it is read again when the program has ended, so it must be a file");
    far = far_copy(file->descriptor());
    // The program appends to it while it runs; both processes may be killed.
    if (const std::string problem = file->publish(); !problem.empty()) return cannot(problem);
  }
  if (far < 0) return cannot(std::strerror(errno));
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

Result<report::RawLog> LogFile::read() const {
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

}  // namespace heddle::launch
