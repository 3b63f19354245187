// Texts and the environment, where the C library's functions are hooks or the program's.
#pragma once

#include "base/types.hpp"

extern "C" char** __environ;  // NOLINT(bugprone-reserved-identifier): `environ` may be the program's

namespace heddle {

inline usize length(const char* text) {
  usize count = 0;
  while (text[count]) ++count;
  return count;
}

inline bool starts_with(const char* text, const char* prefix) {
  while (*prefix)
    if (*text++ != *prefix++) return false;
  return true;
}

// Where the character first occurs, or the end.
inline const char* find(const char* text, char wanted) {
  while (*text && *text != wanted) ++text;
  return text;
}

// The number that the text begins with; 0 if there is none. `rest`: what follows it.
inline u64 read_number(const char* text, u32 base = 10, const char** rest = nullptr) {
  u64 value = 0;
  if (base == 16 && text[0] == '0' && text[1] == 'x') text += 2;
  for (;; ++text) {
    const u32 digit = *text >= '0' && *text <= '9'   ? static_cast<u32>(*text - '0')
                      : *text >= 'a' && *text <= 'f' ? static_cast<u32>(*text - 'a' + 10)
                                                     : base;
    if (digit >= base) break;
    value = value * base + digit;
  }
  if (rest) *rest = text;
  return value;
}

// Null if there is no such variable.
inline const char* environment(const char* name) {
  const usize size = length(name);
  for (char** entry = __environ; entry && *entry; ++entry)
    if (starts_with(*entry, name) && (*entry)[size] == '=') return *entry + size + 1;
  return nullptr;
}

}  // namespace heddle
