// A stream for reports: literals, numbers and manipulators are written unchanged; strings, which may contain foreign
// text, are made printable.
#pragma once

#include <ios>
#include <ostream>
#include <string>
#include <string_view>

#include "output/printable.hpp"

namespace heddle::output {

class SafeStream {
 public:
  explicit SafeStream(std::ostream& out) : out_(out) {}

  SafeStream& operator<<(const std::string& text) { return put(printable(text)); }
  SafeStream& operator<<(std::string_view text) { return put(printable(text)); }
  SafeStream& operator<<(const char* literal) { return put(literal); }
  SafeStream& operator<<(std::ios_base& (*manipulator)(std::ios_base&)) { return put(manipulator); }
  template <class T>
  SafeStream& operator<<(const T& value) {
    return put(value);
  }

 private:
  template <class T>
  SafeStream& put(const T& value) {
    out_ << value;
    return *this;
  }

  std::ostream& out_;
};

}  // namespace heddle::output
