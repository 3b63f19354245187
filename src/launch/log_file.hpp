// The raw log of a run: the tool creates the file, the program appends through an inherited descriptor, and the tool
// reads it at the end. Without a path the file has no name, so nothing is left behind in any case.
//
// Findings must not be lost because the tool cannot report them, out of memory or with a full disk. If the object ends
// after watch() and before the log was reported, its destructor gives the file a name and prints it.
#pragma once

#include <string>

#include "output/last_words.hpp"
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
  // Empty, or why it could not.
  std::string append(const std::string& line);
  // A program is going to write to it.
  void watch();
  // Everybody who has to know has seen what is in it; or there is nothing in it.
  void reported();
  Result<report::RawLog> read() const;
  // The complete lines from that byte on.
  Result<std::string> lines_from(std::uint64_t offset) const;

 private:
  LogFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  void keep();

  int descriptor_;
  std::string path_;  // empty: it has none
  bool is_precious_ = false;
  output::PreciousFile precious_;  // for an end without destructors
};

}  // namespace heddle::launch
