#include "launch/log_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "output/messages.hpp"
#include "output/output_file.hpp"
#include "support/files.hpp"

namespace heddle::launch {
namespace {

// Programs close descriptors that they did not open (daemons the first dozens, shells reuse 10 and up), so ours has a
// high number. Not above 255: fd_set and soft limits of 256 exist.
constexpr int kLowestDescriptor = 200;

constexpr char kHint[] = "what the program has found is in its raw log; to see it: heddle report ";

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
    // The program appends to it while it runs, and may be killed, as the tool may be.
    if (const std::string problem = file->publish(); !problem.empty()) return cannot(problem);
    far = far_copy(file->descriptor());
  }
  if (far < 0) return cannot(std::strerror(errno));
  return LogFile(far, path);
}

LogFile::LogFile(LogFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      is_precious_(std::exchange(other.is_precious_, false)),
      precious_(std::move(other.precious_)) {}

void LogFile::watch() {
  is_precious_ = true;
  precious_ = output::PreciousFile(descriptor_, path_.empty() ? output::temporary_name(".log") : path_,
                                   !path_.empty(), kHint);
}

void LogFile::reported() {
  is_precious_ = false;
  precious_ = {};
}

LogFile::~LogFile() {
  try {
    if (is_precious_) keep();
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kLost = "heddle: out of memory: the raw log of the run cannot be kept\n";
    write_all(STDERR_FILENO, kLost);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

void LogFile::keep() {
  const auto has_findings = [](const report::Process& process) {
    return !process.races.empty() || !process.deadlocks.empty() || process.stall;
  };
  if (const auto raw = read(); raw && raw->complaints.empty() &&
                               std::none_of(raw->processes.begin(), raw->processes.end(), has_findings))
    return;
  std::string name = path_;
  if (name.empty())
    if (const int error = output::name_temporary_file(descriptor_, ".log", name); error != 0)
      return output::say(std::string("the raw log of the run cannot be kept: ") + std::strerror(error));
  output::say(kHint + name);
}

std::string LogFile::append(const std::string& line) {
  const int error = write_all(descriptor_, line);
  if (error == 0) return "";
  return "cannot write the raw log" + (path_.empty() ? " in $TMPDIR" : " '" + path_ + "'") + ": " +
         std::strerror(error);
}

Result<report::RawLog> LogFile::read() const {
  const auto text = read_file("/proc/self/fd/" + std::to_string(descriptor_));
  if (!text)
    return Error{"cannot read the raw log" + (path_.empty() ? " in $TMPDIR" : " '" + path_ + "'") + ": " +
                 text.error()};
  return report::read_raw_log(*text);
}

Result<std::string> LogFile::lines_from(std::uint64_t offset) const {
  std::string lines;
  char part[4096];
  for (;;) {
    const ssize_t n = pread(descriptor_, part, sizeof part, static_cast<off_t>(offset + lines.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{std::string("cannot read the raw log: ") + std::strerror(errno)};
    if (n == 0) break;
    lines.append(part, static_cast<std::size_t>(n));
  }
  const std::size_t last = lines.rfind('\n');
  lines.resize(last == std::string::npos ? 0 : last + 1);
  return lines;
}

}  // namespace heddle::launch
