// An address as text: 0x404040.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace heddle::output {

inline std::string hex(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace heddle::output
