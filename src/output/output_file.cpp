#include "output/output_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <utility>

#include "support/files.hpp"

namespace heddle::output {
namespace {

Error cannot_write(const std::string& path, const std::string& why) {
  return Error{"cannot write '" + path + "': " + why};
}

// /dev/stdout, /dev/fd/3, /proc/self/fd/3, and links to them. Renaming a file over such a name would not change the
// target of the descriptor.
std::optional<int> named_descriptor(const std::filesystem::path& path) {
  std::error_code problem;
  const std::string folder = std::filesystem::weakly_canonical(path.parent_path(), problem).string();
  if (problem == std::errc::not_enough_memory) throw std::bad_alloc();
  if (folder != "/proc/" + std::to_string(getpid()) + "/fd") return std::nullopt;
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (wrong != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

struct Target {
  std::string path;               // with links resolved, so that they stay; also a link to nothing
  std::optional<int> descriptor;  // if it names one of ours
};

Target behind_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  std::error_code problem;
  for (int links = 0; links < kMostLinks; ++links) {
    if (const auto number = named_descriptor(path)) return {path.string(), number};
    const std::filesystem::path next = std::filesystem::read_symlink(path, problem);
    if (problem == std::errc::not_enough_memory) throw std::bad_alloc();
    if (problem) break;
    path = path.parent_path() / next;
  }
  return {path.string(), std::nullopt};
}

// Signals that end the tool, blocked while a file has a name that is not its own.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

std::string path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

// What another descriptor has, read from its beginning. 0, or the number of an error.
int copy(int from, int to) {
  std::array<char, 1 << 16> part;
  for (off_t at = 0;;) {
    const ssize_t got = pread(from, part.data(), part.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : 0;
    if (const int error = write_all(to, {part.data(), static_cast<std::size_t>(got)}); error != 0)
      return error;
    at += got;
  }
}

// On some file systems, only closing says that there was no room for what was written.
int flush(int descriptor) {
  const int other = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return other < 0 || (close(other) != 0 && errno != EINTR) ? errno : 0;
}

std::string temporary_folder() {
  const char* directory = std::getenv("TMPDIR");
  return directory && *directory ? directory : "/tmp";
}

constexpr mode_t kPrivate = 0600;

int open_unnamed_in(const std::string& folder) {
  return open(folder.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, kPrivate);
}

// In the folder where it is going to have a name, or, if no file there can be without one, elsewhere. -1, and errno.
int open_beside(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const int descriptor = open_unnamed_in(folder);
  const bool lacks_it = descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
  return lacks_it && access(folder.c_str(), W_OK) == 0 ? open_unnamed() : descriptor;
}

// Gives a file without a name one that is free: BEGIN, a number, END. 0, or the number of an error. Signals are
// blocked.
int name_file(int descriptor, const std::string& begin, const std::string& end, std::string& name) {
  const std::string source = path_of(descriptor);
  int error = EEXIST;
  for (unsigned tries = 0; error == EEXIST; ++tries) {
    name = begin + std::to_string(getpid()) + (tries ? "-" + std::to_string(tries) : "") + end;
    error = linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  }
  if (error == 0) return 0;
  // It lies elsewhere, or the file system cannot do this.
  name = begin + "XXXXXX" + end;
  const int named = mkostemps(name.data(), static_cast<int>(end.size()), O_CLOEXEC | O_APPEND);
  if (named < 0) return errno;
  struct stat about {};
  error = fstat(descriptor, &about) != 0 || fchmod(named, about.st_mode & 07777) != 0 ? errno : 0;
  if (error == 0) error = copy(descriptor, named);
  if (error == 0) error = flush(named);
  if (error == 0 && dup3(named, descriptor, O_CLOEXEC) < 0) error = errno;
  close(named);
  if (error != 0) unlink(name.c_str());
  return error;
}

mode_t mode_of_new_files() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
  const Target target = behind_links(path);
  if (target.descriptor) {
    const int own = fcntl(*target.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (own < 0) return cannot_write(path, std::strerror(errno));
    return OutputFile(own, false, path);
  }
  struct stat about {};
  const bool exists = stat(path.c_str(), &about) == 0;
  if (!exists && errno != ENOENT) return cannot_write(path, std::strerror(errno));
  if (exists && S_ISDIR(about.st_mode)) return cannot_write(path, std::strerror(EISDIR));
  if (exists && !S_ISREG(about.st_mode)) {
    const int into = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (into < 0) return cannot_write(path, std::strerror(errno));
    return OutputFile(into, false, path);
  }
  // A write-protected file stays, even if its folder would allow to replace it.
  if (exists && access(path.c_str(), W_OK) != 0) return cannot_write(path, std::strerror(errno));
  const int descriptor = open_beside(target.path);
  if (descriptor < 0)
    return cannot_write(path, std::string("no file can be created beside it: ") + std::strerror(errno));
  OutputFile file(descriptor, true, target.path);
  if (fchmod(descriptor, exists ? about.st_mode & 07777 : mode_of_new_files()) != 0)
    return cannot_write(path, std::strerror(errno));
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      is_regular_(other.is_regular_),
      is_unnamed_(other.is_unnamed_),
      target_(std::move(other.target_)) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string OutputFile::write(std::string_view bytes) {
  const int error = write_all(descriptor_, bytes);
  return error ? std::strerror(error) : "";
}

std::string OutputFile::publish() {
  if (!is_unnamed_) return "";
  if (const int error = flush(descriptor_); error != 0) return std::strerror(error);
  const BlockedSignals blocked;
  std::string beside;
  int error = name_file(descriptor_, target_ + ".", "", beside);
  if (error == 0 && rename(beside.c_str(), target_.c_str()) != 0) {
    error = errno;
    unlink(beside.c_str());
  }
  is_unnamed_ = error != 0;
  return error ? std::strerror(error) : "";
}

std::string write_file(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  if (!file) return file.error();
  std::string why = file->write(text);
  if (why.empty()) why = file->publish();
  return why.empty() ? "" : cannot_write(path, why).message;
}

int open_unnamed() {
  const std::string folder = temporary_folder();
  const int descriptor = open_unnamed_in(folder);
  if (descriptor >= 0) return descriptor;
  // Not every file system has O_TMPFILE.
  std::string name = folder + "/heddle-XXXXXX";
  const BlockedSignals blocked;
  const int named = mkostemp(name.data(), O_APPEND | O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

std::string temporary_name(const std::string& end) {
  return temporary_folder() + "/heddle-" + std::to_string(getpid()) + end;
}

int name_temporary_file(int descriptor, const std::string& end, std::string& name) {
  const BlockedSignals blocked;
  return name_file(descriptor, temporary_folder() + "/heddle-", end, name);
}

}  // namespace heddle::output
