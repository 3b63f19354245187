// Bytes to read at any place: a file, or memory. Reading a file, not mapping it: one that another process cuts short
// is then an ordinary end, not a SIGBUS.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/types.hpp"
#include "support/result.hpp"

namespace heddle::history {

class Input {
 public:
  virtual ~Input() = default;
  // Fills as much of `into` as there is; returns how much.
  virtual usize read(u64 offset, std::span<u8> into) = 0;
};

Result<std::unique_ptr<Input>> open_file(const std::string& path);
// The bytes stay the caller's.
std::unique_ptr<Input> memory_input(std::span<const u8> bytes);

}  // namespace heddle::history
