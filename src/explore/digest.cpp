#include "explore/digest.hpp"

#include <charconv>
#include <cstdio>

namespace heddle::explore {

std::string to_text(const Digest& digest) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(digest.high),
                static_cast<unsigned long long>(digest.low));
  return text;
}

bool parse_digest(std::string_view text, Digest& digest) {
  if (text.size() != 32) return false;
  auto half = [](std::string_view digits, u64& number) {
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  return half(text.substr(0, 16), digest.high) && half(text.substr(16), digest.low);
}

}  // namespace heddle::explore
