// Walks DWARF types: what is 8 bytes at offset 72 of a `Cell[10]`? Answer: `[3].count`, a `long`.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::report {

// The type of a variable, member or parameter; none for void or missing information.
std::optional<Dwarf_Die> type_of(Dwarf_Die);

// In C++ notation; qualifiers kept, typedefs by their own name.
std::string type_name(std::optional<Dwarf_Die> type);

std::optional<std::uint64_t> type_size(Dwarf_Die type);

struct TypePath {
  std::string text;               // `[3].count`, empty for the whole object
  std::optional<Dwarf_Die> leaf;  // type of what `text` names
  std::uint64_t remainder = 0;    // bytes into the leaf that no name covers
};

// Follows array elements, members and base classes down to what holds bytes [offset, offset + size). Stops
// above members with names reserved for the implementation (`_M_impl`): a user knows the std::vector, not its
// insides.
TypePath path_into(Dwarf_Die type, std::uint64_t offset, std::uint64_t size);

}  // namespace heddle::report
