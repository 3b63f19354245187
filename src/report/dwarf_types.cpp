#include "report/dwarf_types.hpp"

#include <dwarf.h>

#include <vector>

namespace heddle::report {
namespace {

std::optional<Dwarf_Word> number(Dwarf_Die die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (!dwarf_attr(&die, attribute_name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

// Through typedefs and qualifiers to the type that has a shape.
std::optional<Dwarf_Die> peeled(std::optional<Dwarf_Die> type) {
  Dwarf_Die result;
  if (!type || dwarf_peel_type(&*type, &result) != 0) return std::nullopt;
  return result;
}

// Element counts of an array type, outermost dimension first; empty for arrays of unknown bound.
std::vector<std::uint64_t> dimensions(Dwarf_Die array) {
  std::vector<std::uint64_t> counts;
  Dwarf_Die child;
  if (dwarf_child(&array, &child) != 0) return counts;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    if (const auto count = number(child, DW_AT_count))
      counts.push_back(*count);
    else if (const auto upper = number(child, DW_AT_upper_bound))
      counts.push_back(*upper + 1 - number(child, DW_AT_lower_bound).value_or(0));
    else
      return {};
  } while (dwarf_siblingof(&child, &child) == 0);
  return counts;
}

struct Member {
  Dwarf_Die die;
  std::uint64_t offset = 0, size = 0;
};

// The member or base class that holds the first of the bytes; for a union the first alternative wide enough.
std::optional<Member> member_at(Dwarf_Die record, std::uint64_t offset, std::uint64_t size) {
  std::optional<Member> narrow;
  Dwarf_Die child;
  if (dwarf_child(&record, &child) != 0) return std::nullopt;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    if (dwarf_hasattr(&child, DW_AT_external) || dwarf_hasattr(&child, DW_AT_declaration))
      continue;  // static
    const auto type = type_of(child);
    if (!type) continue;
    Member member{child, number(child, DW_AT_data_member_location).value_or(0), type_size(*type).value_or(0)};
    if (const auto bit = number(child, DW_AT_data_bit_offset)) {
      const std::uint64_t bits = number(child, DW_AT_bit_size).value_or(1);
      member.offset = *bit / 8;
      member.size = (*bit + bits + 7) / 8 - member.offset;
    }
    // Bytes of a bit-field's storage unit before the field itself belong to its neighbours; an access to the
    // unit starts at the first of them.
    if (offset < member.offset || offset >= member.offset + member.size) continue;
    if (offset + size <= member.offset + member.size) return member;
    if (!narrow) narrow = member;
  } while (dwarf_siblingof(&child, &child) == 0);
  return narrow;
}

bool is_record(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

}  // namespace

std::optional<Dwarf_Die> type_of(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (!dwarf_attr_integrate(&die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, &type))
    return std::nullopt;
  return type;
}

std::optional<std::uint64_t> type_size(Dwarf_Die type) {
  Dwarf_Word size;
  if (dwarf_aggregate_size(&type, &size) != 0) return std::nullopt;
  return size;
}

std::string type_name(std::optional<Dwarf_Die> type) {
  if (!type) return "void";
  const auto target = [&] { return type_of(*type); };
  switch (dwarf_tag(&*type)) {
    case DW_TAG_pointer_type: {
      const auto pointee = target();
      if (pointee) {
        Dwarf_Die copy = *pointee;
        if (dwarf_tag(&copy) == DW_TAG_subroutine_type) return "function pointer";
      }
      return type_name(pointee) + "*";
    }
    case DW_TAG_reference_type:
      return type_name(target()) + "&";
    case DW_TAG_rvalue_reference_type:
      return type_name(target()) + "&&";
    case DW_TAG_const_type:
      return "const " + type_name(target());
    case DW_TAG_volatile_type:
      return "volatile " + type_name(target());
    case DW_TAG_atomic_type:
      return "_Atomic " + type_name(target());
    case DW_TAG_restrict_type:
      return type_name(target());
    case DW_TAG_array_type: {
      std::string text = type_name(target());
      const auto counts = dimensions(*type);
      if (counts.empty()) text += "[]";
      for (const std::uint64_t count : counts) text += "[" + std::to_string(count) + "]";
      return text;
    }
    default:
      break;
  }
  if (const char* name = dwarf_diename(&*type)) return name;
  return is_record(dwarf_tag(&*type)) ? "unnamed struct" : "unnamed type";
}

TypePath path_into(Dwarf_Die type, std::uint64_t offset, std::uint64_t size) {
  TypePath path{"", type, offset};
  TypePath named = path;  // where the last name led to; base classes have been entered since, perhaps
  // Each step descends one level of the type; the bound only guards against malformed, cyclic debug
  // information.
  for (int depth = 0; depth < 64; ++depth) {
    const auto shape = peeled(path.leaf);
    if (!shape) return path;
    Dwarf_Die record = *shape;
    const int tag = dwarf_tag(&record);
    if (tag == DW_TAG_array_type) {
      const auto element = type_of(record);
      const auto counts = dimensions(record);
      const auto element_size = element ? type_size(*element) : std::nullopt;
      if (!element_size || *element_size == 0 || counts.empty()) return path;
      const auto total = type_size(record);
      if (path.remainder == 0 && total && size >= *total && size > *element_size)
        return path;  // the whole array
      std::uint64_t index = path.remainder / *element_size;
      std::string subscripts;
      for (std::size_t i = counts.size(); i-- > 0;) {
        const std::uint64_t count = counts[i] == 0 ? 1 : counts[i];
        const std::uint64_t here = i == 0 ? index : index % count;
        subscripts = "[" + std::to_string(here) + "]" + subscripts;
        index /= count;
      }
      path.text += subscripts;
      path.leaf = element;
      path.remainder %= *element_size;
      named = path;
    } else if (is_record(tag)) {
      const auto total = type_size(record);
      if (path.remainder == 0 && total && size >= *total && size > 16) return path;  // copied as a whole
      const auto member = member_at(record, path.remainder, size);
      if (!member) return path;
      Dwarf_Die die = member->die;
      const char* name = dwarf_tag(&die) == DW_TAG_inheritance ? nullptr : dwarf_diename(&die);
      if (name && (std::string_view(name).starts_with("_M_") || std::string_view(name).starts_with("__"))) {
        named.remainder = 0;
        return named;
      }
      if (name) path.text += std::string(".") + name;
      path.leaf = type_of(die);
      path.remainder -= member->offset;
      if (name) named = path;
    } else {
      return path;
    }
  }
  return path;
}

}  // namespace heddle::report
