// Random access to bytes: a file, or memory. Reads a file, does not map it: truncation by another process is then an
// end of file, not a SIGBUS.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "base/types.hpp"
#include "support/result.hpp"

namespace heddle::history {

// A file that was opened, but cannot be read any more. A reader of events cannot recover from that: the verb ends.
struct CannotRead : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Input {
 public:
  virtual ~Input() = default;
  // Fills as much of `into` as there is; returns how much. Throws CannotRead.
  virtual usize read(u64 offset, std::span<u8> into) = 0;
};

Result<std::unique_ptr<Input>> open_file(const std::string& path);
// The caller owns the bytes.
std::unique_ptr<Input> memory_input(std::span<const u8> bytes);

}  // namespace heddle::history
