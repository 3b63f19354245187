#include "options/program_options.hpp"

namespace heddle::options {
namespace {

constexpr Spec kSpecs[] = {
#define PROGRAM_OPTION(name, type, initial, ...) {Name(#name), type, initial},
#include "options/program.inc"
#undef PROGRAM_OPTION
};

// Far longer than any setting of the program.
constexpr usize kLongest = 256;

}  // namespace

bool ProgramOptions::parse(const char* text) {
  bool fine = true;
  while (text) {
    char buffer[kLongest];
    usize size = 0;
    text = take_setting(text, [&](char c) {
      if (size < kLongest) buffer[size++] = c;
    });
    const Setting setting = parse_setting(kSpecs, sizeof kSpecs / sizeof kSpecs[0], {buffer, buffer + size});
    if (!setting.spec) continue;
    if (setting.value.problem != Problem::kNone || size == kLongest) {
      fine = false;
      continue;
    }
    const Spec* spec = kSpecs;
#define PROGRAM_OPTION(name, ...) \
  if (spec++ == setting.spec) name = setting.value.meaning;
#include "options/program.inc"
#undef PROGRAM_OPTION
  }
  return fine;
}

}  // namespace heddle::options
