// One executable or library on disk, as libdw shows it: symbols, compile units, functions and the chain of
// inlined calls at an address. All addresses here are *file* addresses (run-time address minus load bias), so
// one opened file serves every process of a log.
//
// Indexes are built on first use, per compile unit: a report touches a handful of units of a program that may
// have thousands. Not thread-safe.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/raw_log.hpp"
#include "report/unit_variables.hpp"

namespace heddle::report {

struct SourceLocation {
  std::string path;  // absolute where the debug information says so
  int line = 0, column = 0;
};

class ObjectFile {
 public:
  // Null if the file cannot be read as ELF. Without `want_debug_info` no separate debug file is searched for.
  static std::unique_ptr<ObjectFile> open(const std::string& path, bool want_debug_info);
  ~ObjectFile();
  ObjectFile(const ObjectFile&) = delete;
  ObjectFile& operator=(const ObjectFile&) = delete;

  struct Symbol {
    std::string name;
    Address start = 0;
    std::uint64_t size = 0;
  };
  // The symbol that covers the address, function or data. Linear in the size of the symbol table.
  std::optional<Symbol> symbol_at(Address) const;

  // The variables of that name, as the linker or as the user knows them. Linear in the size of the symbol table.
  std::vector<Symbol> variables_named(const std::string& name) const;
  // The functions of that name, whatever their parameters.
  std::vector<Symbol> functions_named(const std::string& name) const;

  std::optional<Dwarf_Die> unit_at(Address);
  std::vector<Dwarf_Die> units();

  const UnitVariables& variables_of(Dwarf_Die unit);

  // The functions active at a pc, innermost first: inlined subroutines, then the concrete subprogram.
  std::vector<Dwarf_Die> functions_at(Dwarf_Die unit, Address);

  // The line table's entry for a pc.
  std::optional<SourceLocation> line_at(Dwarf_Die unit, Address) const;
  // Where an inlined subroutine was called from.
  std::optional<SourceLocation> call_site(Dwarf_Die unit, Dwarf_Die inlined) const;
  // Where something was declared.
  std::optional<SourceLocation> declaration(Dwarf_Die) const;

  // The CFA at a pc, given the frame pointer of that frame, if the CFI computes it from the frame pointer
  // there.
  std::optional<Address> cfa_from_frame_pointer(Address pc, Address frame_pointer) const;

  Address dwarf_bias() const { return dwarf_bias_; }  // file address = DWARF address + bias

 private:
  ObjectFile() = default;

  // Symbols of a type, if is_meant(name in the symbol table, name for users).
  template <class IsMeant>
  std::vector<Symbol> symbols(int type, IsMeant is_meant) const;

  struct Range {
    Address begin, end;  // DWARF addresses
    Dwarf_Die die;
  };
  const std::vector<Range>& functions_of(Dwarf_Die unit);
  void index_units();

  Dwfl_Callbacks callbacks_{};
  char* debuginfo_path_ = nullptr;
  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  Dwarf_Addr dwarf_bias_ = 0;
  bool units_indexed_ = false;
  std::vector<Range> unit_ranges_;
  std::unordered_map<Dwarf_Off, std::vector<Range>> functions_;
  std::unordered_map<Dwarf_Off, UnitVariables> variables_;
};

}  // namespace heddle::report
