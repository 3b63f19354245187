#include "history/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace heddle::history {
namespace {

class FileInput : public Input {
 public:
  FileInput(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;
  ~FileInput() override { ::close(descriptor_); }

  usize read(u64 offset, std::span<u8> into) override {
    usize filled = 0;
    while (filled < into.size()) {
      ssize_t got = ::pread(descriptor_, into.data() + filled, into.size() - filled,
                            static_cast<off_t>(offset + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw CannotRead("cannot read '" + path_ + "': " + std::strerror(errno));
      if (got == 0) break;
      filled += static_cast<usize>(got);
    }
    return filled;
  }

 private:
  int descriptor_;
  std::string path_;
};

class MemoryInput : public Input {
 public:
  explicit MemoryInput(std::span<const u8> bytes) : bytes_(bytes) {}

  usize read(u64 offset, std::span<u8> into) override {
    if (offset >= bytes_.size()) return 0;
    usize count = std::min<usize>(into.size(), bytes_.size() - offset);
    if (count) std::memcpy(into.data(), bytes_.data() + offset, count);
    return count;
  }

 private:
  std::span<const u8> bytes_;
};

}  // namespace

Result<std::unique_ptr<Input>> open_file(const std::string& path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{"cannot read '" + path + "': " + std::strerror(errno)};
  struct stat about;
  if (::fstat(descriptor, &about) == 0 && !S_ISREG(about.st_mode)) {
    ::close(descriptor);
    return Error{"cannot read '" + path + "': a history is read from a file, in several places at once"};
  }
  return std::unique_ptr<Input>(new FileInput(descriptor, path));
}

std::unique_ptr<Input> memory_input(std::span<const u8> bytes) {
  return std::make_unique<MemoryInput>(bytes);
}

}  // namespace heddle::history
