// Two things here are not what libdw offers ready-made. Units are looked up in our own table when
// .debug_aranges does not know the address, because clang does not write that section. And functions are
// indexed by walking the whole unit, because GCC nests the body of an OpenMP region (`main._omp_fn.0`) inside
// the DIE of `main`, whose pc range does not contain it: dwarf_getscopes prunes there and finds nothing.
#include "report/object_file.hpp"

#include <dwarf.h>

#include <algorithm>

#include "output/last_words.hpp"
#include "report/names.hpp"

namespace heddle::report {
namespace {

int no_debuginfo(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
  return -1;
}

std::optional<Dwarf_Word> number(Dwarf_Die die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (!dwarf_attr_integrate(&die, attribute_name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

template <class Visit>
void for_each_child(Dwarf_Die die, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(&die, &child) != 0) return;
  do visit(child);
  while (dwarf_siblingof(&child, &child) == 0);
}

// Calls add(begin, end) for each pc range of a DIE; empty ranges belong to code the linker dropped.
template <class Add>
void for_each_range(Dwarf_Die die, Add add) {
  Dwarf_Addr base, begin, end;
  std::ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges(&die, offset, &base, &begin, &end)) > 0)
    if (begin < end) add(begin, end);
}

}  // namespace

std::unique_ptr<ObjectFile> ObjectFile::open(const std::string& path, bool want_debug_info) {
  std::unique_ptr<ObjectFile> file(new ObjectFile);
  file->callbacks_.find_elf = dwfl_build_id_find_elf;
  file->callbacks_.find_debuginfo = want_debug_info ? dwfl_standard_find_debuginfo : no_debuginfo;
  file->callbacks_.section_address = dwfl_offline_section_address;
  file->callbacks_.debuginfo_path = &file->debuginfo_path_;
  file->dwfl_ = dwfl_begin(&file->callbacks_);
  if (!file->dwfl_) return nullptr;
  dwfl_report_begin(file->dwfl_);
  file->module_ = dwfl_report_elf(file->dwfl_, path.c_str(), path.c_str(), -1, 0, true);
  if (!file->module_) return nullptr;
  dwfl_report_end(file->dwfl_, nullptr, nullptr);
  if (want_debug_info) file->dwarf_ = dwfl_module_getdwarf(file->module_, &file->dwarf_bias_);
  if (file->dwarf_) dwarf_new_oom_handler(file->dwarf_, output::end_out_of_memory);  // its own exits with 1
  return file;
}

ObjectFile::~ObjectFile() {
  if (dwfl_) dwfl_end(dwfl_);
}

std::optional<ObjectFile::Symbol> ObjectFile::symbol_at(Address address) const {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (!name) return std::nullopt;
  return Symbol{name, address - offset, symbol.st_size};
}

template <class IsMeant>
std::vector<ObjectFile::Symbol> ObjectFile::symbols(int type, IsMeant is_meant) const {
  std::vector<Symbol> found;
  const int count = dwfl_module_getsymtab(module_);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* known = dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (!known || GELF_ST_TYPE(symbol.st_info) != type || symbol.st_size == 0) continue;
    if (is_meant(std::string(known), demangle(known))) found.push_back({known, address, symbol.st_size});
  }
  return found;
}

std::vector<ObjectFile::Symbol> ObjectFile::variables_named(const std::string& name) const {
  return symbols(STT_OBJECT, [&](const std::string& known, const std::string& shown) {
    return name == known || name == shown;
  });
}

std::vector<ObjectFile::Symbol> ObjectFile::functions_named(const std::string& name) const {
  return symbols(STT_FUNC, [&](const std::string& known, const std::string& shown) {
    return name == known || name == shown || shown.starts_with(name + "(");
  });
}

std::vector<Dwarf_Die> ObjectFile::units() {
  std::vector<Dwarf_Die> units;
  if (!dwarf_) return units;
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr bias;
  while ((unit = dwfl_module_nextcu(module_, unit, &bias))) units.push_back(*unit);
  return units;
}

void ObjectFile::index_units() {
  if (units_indexed_) return;
  units_indexed_ = true;
  for (Dwarf_Die unit : units())
    for_each_range(unit, [&](Address begin, Address end) { unit_ranges_.push_back({begin, end, unit}); });
  std::sort(unit_ranges_.begin(), unit_ranges_.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

std::optional<Dwarf_Die> ObjectFile::unit_at(Address address) {
  if (!dwarf_) return std::nullopt;
  Dwarf_Addr bias;
  // The nearest unit that has an entry is returned even when the address lies behind its end.
  if (Dwarf_Die* unit = dwfl_module_addrdie(module_, address, &bias);
      unit && dwarf_haspc(unit, address - bias) > 0)
    return *unit;
  index_units();
  const Address pc = address - dwarf_bias_;
  auto next = std::upper_bound(unit_ranges_.begin(), unit_ranges_.end(), pc,
                               [](Address a, const Range& range) { return a < range.begin; });
  if (next == unit_ranges_.begin() || (--next)->end <= pc) return std::nullopt;
  return next->die;
}

const UnitVariables& ObjectFile::variables_of(Dwarf_Die unit) {
  return variables_.try_emplace(dwarf_dieoffset(&unit), unit).first->second;
}

const std::vector<ObjectFile::Range>& ObjectFile::functions_of(Dwarf_Die unit) {
  auto [it, fresh] = functions_.try_emplace(dwarf_dieoffset(&unit));
  std::vector<Range>& ranges = it->second;
  if (!fresh) return ranges;
  std::vector<Dwarf_Die> pending{unit};
  while (!pending.empty()) {
    const Dwarf_Die parent = pending.back();
    pending.pop_back();
    for_each_child(parent, [&](Dwarf_Die child) {
      if (dwarf_tag(&child) == DW_TAG_subprogram)
        for_each_range(child, [&](Address begin, Address end) { ranges.push_back({begin, end, child}); });
      if (dwarf_haschildren(&child) > 0) pending.push_back(child);
    });
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  return ranges;
}

std::vector<Dwarf_Die> ObjectFile::functions_at(Dwarf_Die unit, Address address) {
  const Address pc = address - dwarf_bias_;
  const std::vector<Range>& ranges = functions_of(unit);
  auto next = std::upper_bound(ranges.begin(), ranges.end(), pc,
                               [](Address a, const Range& range) { return a < range.begin; });
  if (next == ranges.begin() || (--next)->end <= pc) return {};

  std::vector<Dwarf_Die> chain{next->die};
  Dwarf_Die scope = next->die;
  for (bool deeper = true; deeper;) {
    deeper = false;
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) break;
    do {
      const int tag = dwarf_tag(&child);
      const bool holds_code = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
                              tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
      if (!holds_code || dwarf_haspc(&child, pc) <= 0) continue;
      if (tag == DW_TAG_inlined_subroutine) chain.insert(chain.begin(), child);
      scope = child;
      deeper = true;
      break;
    } while (dwarf_siblingof(&child, &child) == 0);
  }
  return chain;
}

std::optional<SourceLocation> ObjectFile::line_at(Dwarf_Die unit, Address address) const {
  const Address pc = address - dwarf_bias_;
  Dwarf_Lines* lines;
  std::size_t count;
  if (dwarf_getsrclines(&unit, &lines, &count) != 0) return std::nullopt;
  const auto address_of = [&](std::size_t i) {
    Dwarf_Addr at = 0;
    dwarf_lineaddr(dwarf_onesrcline(lines, i), &at);
    return at;
  };
  std::size_t low = 0, high = count;  // first entry beyond pc
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (address_of(middle) <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  // Line 0 is "no line of its own" (clang, optimised code): the nearest line before it is the best there is.
  for (std::size_t i = low; i-- > 0;) {
    Dwarf_Line* line = dwarf_onesrcline(lines, i);
    bool end_of_sequence = false;
    dwarf_lineendsequence(line, &end_of_sequence);
    if (end_of_sequence) return std::nullopt;
    SourceLocation location;
    dwarf_lineno(line, &location.line);
    if (location.line == 0) continue;
    dwarf_linecol(line, &location.column);
    if (const char* path = dwarf_linesrc(line, nullptr, nullptr)) location.path = path;
    return location;
  }
  return std::nullopt;
}

namespace {

// Not dwarf_decl_file: elfutils takes file 0 for "no file", which in DWARF 5 is the primary source file.
std::optional<SourceLocation> location_from(Dwarf_Die unit, Dwarf_Die die, unsigned file_attribute,
                                            unsigned line_attribute, unsigned column_attribute) {
  const auto file = number(die, file_attribute);
  const auto line = number(die, line_attribute);
  Dwarf_Files* files;
  std::size_t count;
  if (!file || !line || dwarf_getsrcfiles(&unit, &files, &count) != 0 || *file >= count) return std::nullopt;
  SourceLocation location;
  if (const char* path = dwarf_filesrc(files, *file, nullptr, nullptr)) location.path = path;
  location.line = static_cast<int>(*line);
  location.column = static_cast<int>(number(die, column_attribute).value_or(0));
  return location;
}

}  // namespace

std::optional<SourceLocation> ObjectFile::call_site(Dwarf_Die unit, Dwarf_Die inlined) const {
  return location_from(unit, inlined, DW_AT_call_file, DW_AT_call_line, DW_AT_call_column);
}

std::optional<SourceLocation> ObjectFile::declaration(Dwarf_Die die) const {
  Dwarf_Die unit;
  if (!dwarf_diecu(&die, &unit, nullptr, nullptr)) return std::nullopt;
  return location_from(unit, die, DW_AT_decl_file, DW_AT_decl_line, DW_AT_decl_column);
}

std::optional<Address> ObjectFile::cfa_from_frame_pointer(Address pc, Address frame_pointer) const {
#if defined(__x86_64__)
  constexpr Dwarf_Word kFramePointer = 6;  // DWARF's number of rbp
#elif defined(__aarch64__)
  constexpr Dwarf_Word kFramePointer = 29;
#else
  return std::nullopt;
#endif
  Dwarf_Addr bias;
  Dwarf_CFI* cfi = dwfl_module_eh_cfi(module_, &bias);
  if (!cfi) return std::nullopt;
  Dwarf_Frame* frame = nullptr;
  if (dwarf_cfi_addrframe(cfi, pc - bias, &frame) != 0) return std::nullopt;
  Dwarf_Op* ops;
  std::size_t count;
  std::optional<Address> cfa;
  if (dwarf_frame_cfa(frame, &ops, &count) == 0 && count == 1 && ops[0].atom == DW_OP_bregx &&
      ops[0].number == kFramePointer)
    cfa = frame_pointer + ops[0].number2;
  free(frame);
  return cfa;
}

}  // namespace heddle::report
