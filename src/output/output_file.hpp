// A file that the tool writes. It replaces an existing file only when it is complete:
//
//   a regular file, or none   is written under another name beside it, and renamed by publish(); without that nothing
//                             is left of it, and what was there before is untouched
//   a device, fifo or socket  is written into; never removed, truncated or replaced
//   /dev/stdout, /dev/fd/N    as well, through the open descriptor, whatever it is
//   a folder                  is an error
//
// Nothing is removed except the temporary file, which this object created.
#pragma once

#include <string>
#include <string_view>

#include "support/result.hpp"

namespace heddle::output {

class OutputFile {
 public:
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  // Empty, or the problem.
  std::string write(std::string_view bytes);
  // Renames it to its final name; later writes are visible at once. Empty, or the problem.
  std::string publish();

  // It can be read again: it is a regular file of ours.
  bool is_regular() const { return is_regular_; }
  int descriptor() const { return descriptor_; }

 private:
  OutputFile(int descriptor, bool is_regular, std::string beside, std::string target)
      : descriptor_(descriptor),
        is_regular_(is_regular),
        beside_(std::move(beside)),
        target_(std::move(target)) {}

  int descriptor_;
  bool is_regular_;
  std::string beside_;  // the temporary name; empty: published
  std::string target_;
};

// Writes all of it. Empty, or the problem: a message with the path.
std::string write_file(const std::string& path, std::string_view text);

// An unnamed file in $TMPDIR: nothing is left behind in any case. O_APPEND. -1, and errno, on failure.
int open_unnamed();

}  // namespace heddle::output
