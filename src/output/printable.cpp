#include "output/printable.hpp"

#include <array>
#include <cstdio>

namespace heddle::output {
namespace {

struct Decoded {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

// The shortest form only, no surrogates, nothing above U+10FFFF.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  char32_t code = first & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, length};
}

bool is_control(char32_t code) {
  const bool turns_direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
                               code == 0x200e || code == 0x200f || code == 0x061c;
  const bool breaks_line = code == 0x2028 || code == 0x2029;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || turns_direction || breaks_line;
}

std::string escaped(char32_t code, bool is_byte) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  std::array<char, 16> buffer;
  std::snprintf(buffer.data(), buffer.size(), is_byte || code < 0x80 ? "\\x%02x" : "\\u{%x}",
                static_cast<unsigned>(code));
  return buffer.data();
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    const bool kept = lines == Lines::kKept && (next.code == '\n' || next.code == '\t');
    if (next.bytes == 0)
      result += escaped(static_cast<unsigned char>(text.front()), true);
    else if (is_control(next.code) && !kept)
      result += escaped(next.code, false);
    else
      result += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes ? next.bytes : 1);
  }
  return result;
}

}  // namespace heddle::output
