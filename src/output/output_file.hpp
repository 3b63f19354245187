// A file that the tool writes. It replaces an existing file only when it is complete:
//
//   a regular file, or none   is written without a name (O_TMPFILE), which publish() gives it; until then nothing is
//                             left of it, however the tool ends, and what was there before is untouched
//   a device, fifo or socket  is written into; never removed, truncated or replaced
//   /dev/stdout, /dev/fd/N    as well, through the open descriptor, whatever it is
//   a folder                  is an error
//
// A name can only be given where none is: it is another one, for a moment, and then renamed. Where the file system has
// no files without names, the text waits in $TMPDIR and is copied by publish().
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
  OutputFile(int descriptor, bool is_regular, std::string target)
      : descriptor_(descriptor),
        is_regular_(is_regular),
        is_unnamed_(is_regular),
        target_(std::move(target)) {}

  int descriptor_;
  bool is_regular_;
  bool is_unnamed_;  // not published yet
  std::string target_;
};

// Writes all of it. Empty, or the problem: a message with the path.
std::string write_file(const std::string& path, std::string_view text);

// An unnamed file in $TMPDIR: nothing is left behind in any case. O_APPEND. -1, and errno, on failure.
int open_unnamed();
// Gives such a file a name that is free: $TMPDIR/heddle-NUMBER and this end. 0, or the number of an error.
int name_temporary_file(int descriptor, const std::string& end, std::string& name);
// The name that it would have.
std::string temporary_name(const std::string& end);

}  // namespace heddle::output
