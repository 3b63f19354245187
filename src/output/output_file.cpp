#include "output/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace heddle::output {
namespace {

Error cannot_write(const std::string& path, const std::string& why) {
  return Error{"cannot write '" + path + "': " + why};
}

// /dev/stdout, /dev/fd/3, /proc/self/fd/3, and links to them. Renaming a file over such a name would not change the
// target of the descriptor.
std::optional<int> named_descriptor(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::string folder = std::filesystem::weakly_canonical(path.parent_path(), ignored).string();
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
    if (problem) break;
    path = path.parent_path() / next;
  }
  return {path.string(), std::nullopt};
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
    return OutputFile(own, false, "", path);
  }
  struct stat about {};
  const bool exists = stat(path.c_str(), &about) == 0;
  if (!exists && errno != ENOENT) return cannot_write(path, std::strerror(errno));
  if (exists && S_ISDIR(about.st_mode)) return cannot_write(path, std::strerror(EISDIR));
  if (exists && !S_ISREG(about.st_mode)) {
    const int into = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (into < 0) return cannot_write(path, std::strerror(errno));
    return OutputFile(into, false, "", path);
  }
  // A write-protected file stays, even if its folder would allow to replace it.
  if (exists && access(path.c_str(), W_OK) != 0) return cannot_write(path, std::strerror(errno));
  std::string beside = target.path + ".XXXXXX";
  const int descriptor = mkostemp(beside.data(), O_CLOEXEC | O_APPEND);
  if (descriptor < 0)
    return cannot_write(path, std::string("no file can be created beside it: ") + std::strerror(errno));
  fchmod(descriptor, exists ? about.st_mode & 07777 : mode_of_new_files());
  return OutputFile(descriptor, true, beside, target.path);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      is_regular_(other.is_regular_),
      beside_(std::exchange(other.beside_, {})),
      target_(std::move(other.target_)) {}

OutputFile::~OutputFile() {
  if (!beside_.empty()) unlink(beside_.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

std::string OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return std::strerror(errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return "";
}

std::string OutputFile::publish() {
  if (beside_.empty()) return "";
  if (rename(beside_.c_str(), target_.c_str()) != 0) return std::strerror(errno);
  beside_.clear();
  return "";
}

std::string write_file(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  if (!file) return file.error();
  std::string why = file->write(text);
  if (why.empty()) why = file->publish();
  return why.empty() ? "" : cannot_write(path, why).message;
}

int open_unnamed() {
  const char* directory = std::getenv("TMPDIR");
  const std::string place = directory && *directory ? directory : "/tmp";
  const int descriptor = open(place.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  // Not every file system has O_TMPFILE.
  std::string name = place + "/heddle-XXXXXX";
  const int named = mkostemp(name.data(), O_APPEND | O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace heddle::output
