// The variables of static storage duration that one compile unit describes, by address and by name: found once, so that
// naming many variables of a large unit does not walk over all of it for each.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/raw_log.hpp"

namespace heddle::report {

// A location that is one operation long, which is all that is needed: DW_OP_addr, DW_OP_addrx or DW_OP_fbreg.
struct SimpleLocation {
  unsigned atom;
  Dwarf_Word operand;
};
std::optional<SimpleLocation> simple_location(Dwarf_Die variable, Address pc);

// As the linker knows it.
const char* linkage_name(Dwarf_Die);

class UnitVariables {
 public:
  explicit UnitVariables(Dwarf_Die unit);

  // The variable that covers a DWARF address, and where it begins.
  struct Placed {
    Address begin, end;
    Dwarf_Die die;
  };
  const Placed* at(Address) const;

  // The first that is declared with a type, by its linkage name or, if it has none, by its own.
  std::optional<Dwarf_Die> declared(const std::string& name) const;

 private:
  void add(Dwarf_Die variable);

  std::vector<Placed> placed_;  // sorted
  std::unordered_map<std::string, Dwarf_Die> declared_;
};

}  // namespace heddle::report
