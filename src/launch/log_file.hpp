// The raw log of a run: the tool creates the file, the program appends through an inherited descriptor, and the tool
// reads it at the end. Without a path the file has no name, so nothing is left behind in any case.
#pragma once

#include <string>

#include "report/raw_log.hpp"
#include "support/result.hpp"

namespace heddle::launch {

class LogFile {
 public:
  // `path` empty: an unnamed file in $TMPDIR.
  static Result<LogFile> create(const std::string& path);
  LogFile(LogFile&&) noexcept;
  LogFile& operator=(LogFile&&) = delete;
  ~LogFile();

  int descriptor() const { return descriptor_; }
  void append(const std::string& line);
  Result<report::RawLog> read() const;
  // The complete lines from that byte on.
  std::string lines_from(std::uint64_t offset) const;

 private:
  explicit LogFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace heddle::launch
