// The few string functions that are needed: the C library's are intercepted.
#pragma once

#include "base/types.hpp"

namespace heddle::gomp {

inline bool equal(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Parses the value of an environment variable from left to right.
class Reader {
 public:
  explicit Reader(const char* text) : at_(text ? text : "") {}

  bool word(const char* word) {
    blanks();
    const char* at = at_;
    for (; *word; ++word, ++at)
      if (lower(*at) != *word) return false;
    if (lower(*at) >= 'a' && lower(*at) <= 'z') return false;
    at_ = at;
    return true;
  }
  bool number(long& value) {
    blanks();
    const char* at = at_;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+') ++at;
    if (*at < '0' || *at > '9') return false;
    constexpr long kMost = 0x3fffffffffffffff;
    for (value = 0; *at >= '0' && *at <= '9'; ++at)
      value = value > kMost / 10 ? kMost : value * 10 + (*at - '0');
    if (negative) value = -value;
    at_ = at;
    return true;
  }
  bool mark(char c) {
    blanks();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  bool end() {
    blanks();
    return !*at_;
  }

 private:
  void blanks() {
    while (*at_ == ' ' || *at_ == '\t') ++at_;
  }
  const char* at_;
};

}  // namespace heddle::gomp
