#include "output/messages.hpp"

#include <cstdio>

#include "output/printable.hpp"

namespace heddle::output {

void say(const std::string& message) {
  const std::string text = printable(message, Lines::kKept);
  std::fprintf(stderr, "heddle: %s\n", text.c_str());
}

int fail(const std::string& message) {
  say(message);
  return kUsageError;
}

int fail_input(const std::string& message) {
  say(message);
  return kDamagedInput;
}

int fail(const Error& error) { return error.damaged_input ? fail_input(error.message) : fail(error.message); }

}  // namespace heddle::output
