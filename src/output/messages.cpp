#include "output/messages.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "output/printable.hpp"
#include "support/files.hpp"

namespace heddle::output {
namespace {

int lost_messages = 0, lost_output = 0;  // numbers of the first errors

// Whoever starts the tool without a standard error does not want to hear anything.
void note(int error, int& lost) {
  if (error != 0 && error != EBADF && lost == 0) lost = error;
}

}  // namespace

std::string show(std::string_view text) {
  const int error = write_all(STDERR_FILENO, text);
  note(error, lost_messages);
  return error != 0 && error != EBADF
             ? std::string("cannot write the standard error: ") + std::strerror(error)
             : "";
}

void say(const std::string& message) { show("heddle: " + printable(message, Lines::kKept) + "\n"); }

int fail(const std::string& message) {
  say(message);
  return kUsageError;
}

int fail_input(const std::string& message) {
  say(message);
  return kDamagedInput;
}

int fail(const Error& error) { return error.damaged_input ? fail_input(error.message) : fail(error.message); }

void guard_standard_output() {
  cookie_io_functions_t functions{};
  functions.write = [](void*, const char* bytes, std::size_t size) -> ssize_t {
    const int error = write_all(STDOUT_FILENO, {bytes, size});
    if (error != 0 && lost_output == 0) lost_output = error;
    return error ? 0 : static_cast<ssize_t>(size);
  };
  std::FILE* guarded = fopencookie(nullptr, "w", functions);
  if (!guarded) throw std::bad_alloc();
  std::setvbuf(guarded, nullptr, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
  stdout = guarded;
}

bool all_was_written() {
  std::fflush(stdout);
  if (lost_output != 0) say(std::string("cannot write the standard output: ") + std::strerror(lost_output));
  if (lost_messages != 0)
    say(std::string("cannot write the standard error: ") + std::strerror(lost_messages));
  return lost_output == 0 && lost_messages == 0;
}

}  // namespace heddle::output
