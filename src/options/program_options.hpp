// The options that the program gets: a field for each PROGRAM_OPTION of program.inc, with its meaning (value.hpp).
#pragma once

#include "options/setting.hpp"

namespace heddle::options {

template <Kind kind>
struct Field {
  using type = u64;
};
template <>
struct Field<Kind::kFlag> {
  using type = bool;
};

struct ProgramOptions {
#define PROGRAM_OPTION(name, type_of, initial, ...) \
  Field<(type_of).kind>::type name = parse_value(type_of, slice(initial)).meaning;
#include "options/program.inc"
#undef PROGRAM_OPTION

  // HEDDLE_OPTIONS: `a=1:b=2`; null is empty. False if a value is invalid: its option stays unchanged. Names that are
  // not here are ignored; they are the tool's.
  bool parse(const char* text);
};

}  // namespace heddle::options
