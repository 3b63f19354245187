#include "report/variables.hpp"

#include <dwarf.h>

#include <algorithm>

#include "report/dwarf_types.hpp"
#include "report/names.hpp"

namespace heddle::report {
namespace {

// The variable that covers `address`, or, failing that, a declaration of the symbol: it has the type, not the
// place.
std::optional<Dwarf_Die> find_global(ObjectFile& file, Address address,
                                     const std::optional<ObjectFile::Symbol>& symbol,
                                     const std::vector<Address>& nearby, Address& start) {
  const auto covers = [&](Dwarf_Die unit) -> std::optional<Dwarf_Die> {
    const auto* variable = file.variables_of(unit).at(address - file.dwarf_bias());
    if (!variable) return std::nullopt;
    start = variable->begin + file.dwarf_bias();
    return variable->die;
  };
  for (const Address pc : nearby)
    if (const auto unit = file.unit_at(pc))
      if (const auto found = covers(*unit)) return found;
  for (const Address pc : nearby)
    if (const auto unit = file.unit_at(pc); unit && symbol)
      if (const auto found = file.variables_of(*unit).declared(symbol->name)) {
        start = symbol->start;
        return found;
      }
  for (const Dwarf_Die unit : file.units())
    if (const auto found = covers(unit)) return found;
  return std::nullopt;
}

std::string with_offset(std::string name, std::uint64_t offset) {
  return offset == 0 ? name : name + " + " + std::to_string(offset);
}

void name_element(VariableName& variable, Dwarf_Die die, std::uint64_t offset, std::uint64_t size) {
  const auto type = type_of(die);
  if (!type) {
    variable.name = with_offset(variable.name, offset);
    return;
  }
  const TypePath path = path_into(*type, offset, size);
  variable.name = with_offset(variable.name + path.text, path.remainder);
  variable.type = type_name(path.leaf);
}

// The locals of a function that are alive at a pc, innermost scope first.
void collect_locals(Dwarf_Die scope, Address pc, std::vector<Dwarf_Die>& locals) {
  Dwarf_Die child;
  if (dwarf_child(&scope, &child) != 0) return;
  std::vector<Dwarf_Die> here;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable:
      case DW_TAG_formal_parameter:
        here.push_back(child);
        break;
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
        collect_locals(child, pc, locals);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  locals.insert(locals.end(), here.begin(), here.end());
}

// The value of DW_AT_frame_base, from which DW_OP_fbreg counts.
std::optional<Address> frame_base(ObjectFile& file, Dwarf_Die function, Address pc, Address frame_pointer) {
  Dwarf_Attribute attribute;
  Dwarf_Op* ops;
  std::size_t count;
  if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute)) return std::nullopt;
  if (dwarf_getlocation_addr(&attribute, pc - file.dwarf_bias(), &ops, &count, 1) != 1 || count != 1)
    return std::nullopt;
  if (ops[0].atom == DW_OP_call_frame_cfa) {
    if (const auto cfa = file.cfa_from_frame_pointer(pc, frame_pointer)) return cfa;
    // The pc may lie in the prologue, where the frame pointer is not set up yet; 24 bytes are enough to get
    // past it (endbr64, push, mov). A function without a frame pointer fails at every one of them.
    Dwarf_Addr low;
    if (dwarf_lowpc(&function, &low) != 0) return std::nullopt;
    for (Address step = 1; step <= 24; ++step)
      if (const auto cfa = file.cfa_from_frame_pointer(low + file.dwarf_bias() + step, frame_pointer))
        return cfa;
    return std::nullopt;
  }
#if defined(__x86_64__)
  if (ops[0].atom == DW_OP_reg6) return frame_pointer;  // clang: the frame pointer itself
#endif
  return std::nullopt;
}

}  // namespace

std::optional<VariableName> name_global(ObjectFile& file, Address address, std::uint64_t size,
                                        const std::vector<Address>& nearby) {
  auto symbol = file.symbol_at(address);
  if (symbol && symbol->size > 0 && address >= symbol->start + symbol->size) symbol.reset();
  Address start = 0;
  const auto die = find_global(file, address, symbol, nearby, start);
  VariableName variable;
  if (!die) {
    if (!symbol) return std::nullopt;
    variable.name = with_offset(demangle(symbol->name), address - symbol->start);
    return variable;
  }
  Dwarf_Die found = *die;
  const char* linkage = linkage_name(found);
  const char* plain = dwarf_diename(&found);
  // Only a mangled symbol adds something to the plain name (its namespace); `counter.0` is the compiler's
  // invention.
  if (linkage)
    variable.name = without_parameters(demangle(linkage));
  else if (symbol && symbol->name.starts_with("_Z"))
    variable.name = demangle(symbol->name);
  else
    variable.name = plain ? plain : symbol ? symbol->name : "unnamed variable";
  variable.declared = file.declaration(found);
  name_element(variable, found, address - start, size);
  return variable;
}

std::optional<VariableName> name_local(ObjectFile& file, Address pc, Address frame_pointer, Address address,
                                       std::uint64_t size) {
  const auto unit = file.unit_at(pc);
  if (!unit) return std::nullopt;
  const auto chain = file.functions_at(*unit, pc);
  if (chain.empty()) return std::nullopt;
  const auto base = frame_base(file, chain.back(), pc, frame_pointer);
  if (!base) return std::nullopt;
  std::vector<Dwarf_Die> locals;
  collect_locals(chain.back(), pc, locals);
  for (Dwarf_Die die : locals) {
    const auto location = simple_location(die, pc - file.dwarf_bias());
    const auto type = type_of(die);
    if (!location || location->atom != DW_OP_fbreg || !type) continue;
    const Address start = *base + location->operand;
    if (address < start || address >= start + type_size(*type).value_or(0)) continue;
    VariableName variable;
    const char* name = dwarf_diename(&die);
    variable.name = name ? name : "unnamed variable";
    variable.declared = file.declaration(die);
    name_element(variable, die, address - start, size);
    return variable;
  }
  return std::nullopt;
}

}  // namespace heddle::report
