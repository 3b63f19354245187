// A number as text, where the C library's functions are the program's.
#pragma once

#include "base/types.hpp"

namespace heddle {

class Digits {
 public:
  explicit Digits(u64 value) {
    do *--at_ = static_cast<char>('0' + value % 10);
    while (value /= 10);
  }
  Digits(const Digits&) = delete;
  Digits& operator=(const Digits&) = delete;

  const char* text() const { return at_; }

 private:
  char digits_[24] = {};
  char* at_ = digits_ + sizeof digits_ - 1;
};

}  // namespace heddle
