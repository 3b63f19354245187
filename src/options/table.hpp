// All rows of table.inc, for the tool.
#pragma once

#include "options/setting.hpp"

namespace heddle::options {

inline constexpr Spec kTable[] = {
#define TOOL_OPTION(name, type, initial, verbs, help) {Name(#name), type, initial, verbs, false, help},
#define PROGRAM_OPTION(name, type, initial, verbs, help) {Name(#name), type, initial, verbs, true, help},
#include "options/table.inc"
#undef TOOL_OPTION
#undef PROGRAM_OPTION
};
inline constexpr usize kTableSize = sizeof kTable / sizeof kTable[0];

constexpr bool initial_values_are_valid() {
  for (const Spec& spec : kTable)
    if (*spec.initial && parse_value(spec.type, slice(spec.initial)).problem != Problem::kNone) return false;
  return true;
}
static_assert(initial_values_are_valid());

}  // namespace heddle::options
