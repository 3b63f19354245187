#include "report/unit_variables.hpp"

#include <dwarf.h>

#include <algorithm>

#include "report/dwarf_types.hpp"

namespace heddle::report {
namespace {

// Depth first through everything that can hold a variable.
template <class Visit>
void visit_variables(Dwarf_Die parent, const Visit& visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable:
        visit(child);
        break;
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_subprogram:
      case DW_TAG_lexical_block:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
        visit_variables(child, visit);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace

std::optional<SimpleLocation> simple_location(Dwarf_Die variable, Address pc) {
  Dwarf_Attribute attribute;
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (!dwarf_attr(&variable, DW_AT_location, &attribute)) return std::nullopt;
  if (dwarf_getlocation_addr(&attribute, pc, &ops, &count, 1) != 1 || count != 1) return std::nullopt;
  if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) {
    Dwarf_Attribute result;
    Dwarf_Addr address;
    if (dwarf_getlocation_attr(&attribute, &ops[0], &result) != 0 || dwarf_formaddr(&result, &address) != 0)
      return std::nullopt;
    return SimpleLocation{DW_OP_addr, address};
  }
  return SimpleLocation{ops[0].atom, ops[0].number};
}

const char* linkage_name(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  if (!dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute)) return nullptr;
  return dwarf_formstring(&attribute);
}

UnitVariables::UnitVariables(Dwarf_Die unit) {
  visit_variables(unit, [&](Dwarf_Die variable) { add(variable); });
  // Of several at one place (an inlined function's static variable is described more than once) the first will do.
  std::stable_sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  const auto same_place = [](const Placed& a, const Placed& b) { return a.begin == b.begin; };
  placed_.erase(std::unique(placed_.begin(), placed_.end(), same_place), placed_.end());
}

void UnitVariables::add(Dwarf_Die variable) {
  const auto type = type_of(variable);
  if (const auto location = simple_location(variable, 0); location && location->atom == DW_OP_addr) {
    const std::uint64_t size = type ? type_size(*type).value_or(1) : 1;
    placed_.push_back({location->operand, location->operand + std::max<std::uint64_t>(size, 1), variable});
  }
  const char* name = linkage_name(variable);
  if (!name) name = dwarf_diename(&variable);
  if (name && type) declared_.try_emplace(name, variable);
}

const UnitVariables::Placed* UnitVariables::at(Address address) const {
  const auto next = std::upper_bound(placed_.begin(), placed_.end(), address,
                                     [](Address a, const Placed& variable) { return a < variable.begin; });
  return next != placed_.begin() && address < (next - 1)->end ? &*(next - 1) : nullptr;
}

std::optional<Dwarf_Die> UnitVariables::declared(const std::string& name) const {
  const auto it = declared_.find(name);
  return it == declared_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace heddle::report
