// Which variable lies at an address? Globals through the symbol table and DW_OP_addr, locals through the
// frame base of the function that owns the frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/object_file.hpp"

namespace heddle::report {

struct VariableName {
  std::string name;  // with the path to the element: `grid[3].count`; `grid + 24` without type information
  std::string type;  // of that element; empty if unknown
  std::optional<SourceLocation> declared;
};

// A variable of static storage duration. `address` is a file address; `nearby` are pcs whose compile units
// are searched first, since the unit that accesses a variable nearly always declares it.
std::optional<VariableName> name_global(ObjectFile&, Address address, std::uint64_t size,
                                        const std::vector<Address>& nearby);

// A local variable of the function at file address `pc`. `address` and `frame_pointer` are run-time
// addresses. None when the function's CFA cannot be had from its frame pointer: a guess would name the wrong
// variable.
std::optional<VariableName> name_local(ObjectFile&, Address pc, Address frame_pointer, Address address,
                                       std::uint64_t size);

}  // namespace heddle::report
