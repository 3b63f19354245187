#include "report/symbolizer.hpp"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "model/libraries.hpp"
#include "model/words.hpp"
#include "report/names.hpp"

namespace heddle::report {
namespace {

using namespace std::string_view_literals;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

template <class Prefixes = std::initializer_list<std::string_view>>
bool starts_with_any(std::string_view text, const Prefixes& prefixes) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// How a thread or a parallel region gets going: plumbing between the user's call and the user's function.
bool is_runtime_function(const Frame& frame) {
  return frame.linkage_name == "_start" ||
         starts_with_any(frame.linkage_name, {"__libc_start", "__tsan_", "__heddle_", "__interceptor_",
                                              "heddle_protected_call"}) ||
         starts_with_any(frame.linkage_name, model::frames()) ||
         starts_with_any(frame.function, model::functions());
}

bool is_system_path(std::string_view path) { return starts_with_any(path, {"/usr/include/", "/usr/lib/"}); }

bool is_runtime_header(std::string_view path) {
  return std::any_of(model::headers().begin(), model::headers().end(),
                     [&](std::string_view part) { return path.find(part) != std::string_view::npos; });
}

// DW_AT_linkage_name through abstract origins and specifications.
std::string die_linkage_name(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (dwarf_attr_integrate(&die, name, &attribute))
      if (const char* text = dwarf_formstring(&attribute)) return text;
  return "";
}

void set_name(Frame& frame, const std::string& linkage, const char* plain) {
  frame.linkage_name = !linkage.empty() ? linkage : plain ? plain : "";
  frame.full_name = demangle(frame.linkage_name);
  frame.function = without_parameters(frame.full_name);
}

}  // namespace

bool is_runtime_module(const std::string& path) {
  const std::string name = base_name(path);
  return starts_with_any(name, model::kLibraries) ||
         starts_with_any(name, {"libc.", "libc-", "ld-linux", "ld-2", "libpthread", "libheddle", "libtsan.",
                                "libstdc++.", "libgcc_s.", "libm.", "libarcher."});
}

ObjectFile* Symbolizer::open(const Module& module) {
  auto [it, fresh] = files_.try_emplace(module.path);
  if (fresh) it->second = ObjectFile::open(module.path, !is_runtime_module(module.path));
  return it->second.get();
}

std::string Symbolizer::shown_path(const std::string& path) const {
  const std::string normal = std::filesystem::path(path).lexically_normal().string();
  if (!directory_.empty() && normal.starts_with(directory_ + "/"))
    return normal.substr(directory_.size() + 1);
  return normal;
}

const std::vector<Frame>& Symbolizer::frames(const Module* module, Address return_address) {
  const std::pair key{module ? module->path : "", return_address - (module ? module->base : 0)};
  auto [it, fresh] = frames_.try_emplace(key);
  if (fresh) it->second = resolve(module, return_address);
  return it->second;
}

std::vector<Frame> Symbolizer::resolve(const Module* module, Address return_address) {
  Frame blank;
  if (!module) {
    blank.offset = return_address;
    return {blank};
  }
  // The recorded pc is where the call returns to, possibly the next line: the call itself ends one byte
  // before.
  const Address pc = return_address - module->base - 1;
  blank.module = base_name(module->path);
  blank.offset = pc;
  blank.runtime = is_runtime_module(module->path);
  ObjectFile* file = open(*module);
  if (!file) return {blank};

  const auto symbol = file->symbol_at(pc);
  const auto unit = file->unit_at(pc);
  const auto chain = unit ? file->functions_at(*unit, pc) : std::vector<Dwarf_Die>{};
  if (chain.empty()) {
    if (symbol) set_name(blank, symbol->name, nullptr);
    blank.runtime = blank.runtime || is_runtime_function(blank);
    return {blank};
  }

  std::vector<Frame> frames;
  std::optional<SourceLocation> location = file->line_at(*unit, pc);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    Dwarf_Die die = chain[i];
    const bool concrete = i + 1 == chain.size();
    Frame frame = blank;
    std::string linkage = die_linkage_name(die);
    // A static function has no linkage name in DWARF; its symbol knows the namespace and which clone this is.
    if (linkage.empty() && concrete && symbol) linkage = symbol->name;
    set_name(frame, linkage, dwarf_diename(&die));
    frame.inlined = !concrete;
    if (location) {
      frame.path = std::filesystem::path(location->path).lexically_normal().string();
      frame.file = shown_path(location->path);
      frame.line = location->line;
      frame.column = location->column;
      frame.system = is_system_path(frame.path);
      frame.runtime = frame.runtime || is_runtime_header(frame.path);
    }
    frame.runtime = frame.runtime || is_runtime_function(frame);
    frames.push_back(std::move(frame));
    if (!concrete) location = file->call_site(*unit, die);
  }
  return frames;
}

std::optional<VariableName> Symbolizer::global(const Module& module, Address address, std::uint64_t size,
                                               const std::vector<Address>& nearby) {
  auto [known, fresh] = globals_.try_emplace({module.path, address - module.base, size});
  ObjectFile* file = fresh ? open(module) : nullptr;
  if (!file) return known->second;
  std::vector<Address> pcs;
  for (const Address pc : nearby)
    if (module.begin <= pc && pc < module.end) pcs.push_back(pc - module.base - 1);
  return known->second = name_global(*file, address - module.base, size, pcs);
}

std::optional<VariableName> Symbolizer::local(const Module& module, Address pc, Address frame_pointer,
                                              Address address, std::uint64_t size) {
  ObjectFile* file = open(module);
  if (!file) return std::nullopt;
  return name_local(*file, pc - module.base, frame_pointer, address, size);
}

}  // namespace heddle::report
