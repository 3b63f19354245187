// A file that the tool writes. It replaces what was there only when it is whole:
//
//   a regular file, or none   is written under another name beside it, and renamed by publish(); without that nothing
//                             is left of it, and what was there before is untouched
//   a device, fifo or socket  is written into; never removed, truncated or replaced
//   /dev/stdout, /dev/fd/N    as well, through the open descriptor, whatever it is
//   a folder                  is an error
//
// Nothing is removed but the file under the other name, which this object made.
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

  // Empty, or why it could not.
  std::string write(std::string_view bytes);
  // Gives it its name; more may be written behind, and is then visible at once. Empty, or why it could not.
  std::string publish();

  // Can be read again: it is a regular file that is ours.
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
  std::string beside_;  // the name until it is published; empty: it has its own
  std::string target_;
};

// The whole of it. Empty, or why it could not: a message with the path.
std::string write_file(const std::string& path, std::string_view text);

// A file in $TMPDIR that has no name: nothing is left behind whatever happens. O_APPEND. -1, and errno, if that cannot
// be made.
int open_unnamed();

}  // namespace heddle::output
