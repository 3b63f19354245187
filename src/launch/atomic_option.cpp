#include "launch/atomic_option.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "output/hex.hpp"
#include "report/object_file.hpp"
#include "report/raw_log.hpp"

namespace heddle::launch {
namespace {

bool is_address(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front()));
}

// 0x404040+8
std::optional<engine::AddressRange> parse_address(const std::string& name) {
  char* end = nullptr;
  const u64 address = std::strtoull(name.c_str(), &end, 0);
  if (*end != '+') return std::nullopt;
  const char* size_at = end + 1;
  const u64 size = std::strtoull(size_at, &end, 0);
  if (end == size_at || *end != '\0' || size == 0) return std::nullopt;
  return engine::AddressRange{address, size};
}

// In all modules: each library may have a static variable of that name.
std::vector<engine::AddressRange> find_variable(const std::string& name,
                                                const std::vector<report::Module>& modules) {
  std::vector<engine::AddressRange> found;
  for (const report::Module& module : modules)
    if (const auto file = report::ObjectFile::open(module.path, /*want_debug_info=*/false))
      for (const auto& symbol : file->variables_named(name))
        found.push_back({symbol.start + module.base, symbol.size});
  return found;
}

std::vector<engine::AddressRange> find_function(const std::string& name, const std::string& path) {
  std::vector<engine::AddressRange> found;
  if (const auto file = report::ObjectFile::open(path, /*want_debug_info=*/false))
    for (const auto& symbol : file->functions_named(name)) found.push_back({symbol.start, symbol.size});
  return found;
}

std::string missing(const char* what, const std::string& name) {
  return "--atomic: there is no " + std::string(what) + " '" + name + "' in the program";
}

std::string range_words(const engine::AddressRange& range) {
  return output::hex(range.address) + "+" + std::to_string(range.size);
}

}  // namespace

std::string AtomicOption::add(const std::string& text, bool with_regions) {
  const usize colon = std::min(text.find(':'), text.size());
  const std::string kind = text.substr(0, colon);
  if (with_regions && text == "critical-sections") {
    all_.push_back({Kind::kCriticalSections, {}});
    return "";
  }
  if (with_regions && text == "reacquired-locks") {
    all_.push_back({Kind::kReacquiredLocks, {}});
    return "";
  }
  if (colon == text.size() || (kind != "var" && kind != "group" && !(with_regions && kind == "function")))
    return std::string("--atomic needs var:NAME") +
           (with_regions ? ", group:NAME,NAME..., function:NAME, critical-sections or reacquired-locks"
                         : " or group:NAME,NAME...") +
           ", not '" + text + "'";
  Named named{kind == "group" ? Kind::kGroup : kind == "function" ? Kind::kFunction : Kind::kVariable, {}};
  for (usize from = colon + 1; from <= text.size();) {
    const usize comma = std::min(text.find(',', from), text.size());
    const std::string name = text.substr(from, comma - from);
    if (name.empty() || (is_address(name) && !parse_address(name)))
      return "--atomic: '" + name + "' is neither a variable nor ADDRESS+SIZE";
    named.names.push_back(name);
    from = comma + 1;
  }
  all_.push_back(std::move(named));
  return "";
}

std::string AtomicOption::add_all(const std::string& texts, bool with_regions) {
  for (usize from = 0; from < texts.size();) {
    const usize end = std::min(texts.find(';', from), texts.size());
    if (std::string wrong = add(texts.substr(from, end - from), with_regions); !wrong.empty()) return wrong;
    from = end + 1;
  }
  return "";
}

Result<std::string> AtomicOption::for_program(const std::string& path) const {
  const report::Module program{path, 0, 0, 0};
  std::string text;
  for (const Named& named : all_) {
    text += text.empty() ? "" : ";";
    if (named.kind == Kind::kCriticalSections) text += "critical-sections";
    if (named.kind == Kind::kReacquiredLocks) text += "reacquired-locks";
    std::string places;
    for (const std::string& name : named.names) {
      const bool function = named.kind == Kind::kFunction;
      const auto found = function           ? find_function(name, path)
                         : is_address(name) ? std::vector{*parse_address(name)}
                                            : find_variable(name, {program});
      if (found.empty()) return Error{missing(function ? "function" : "variable", name)};
      for (const engine::AddressRange& range : found) {
        const char* separator = named.kind == Kind::kGroup ? "," : ";";
        places +=
            (places.empty() ? "" : separator) + std::string(function ? "function:" : "") + range_words(range);
      }
    }
    text += places;
  }
  return text;
}

bool AtomicOption::needs_program() const {
  return std::any_of(all_.begin(), all_.end(), [](const Named& named) {
    return !std::all_of(named.names.begin(), named.names.end(), is_address);
  });
}

Result<engine::AtomicRanges> AtomicOption::resolve(const std::string& about) const {
  const report::RawLog log = report::read_raw_log(about);
  std::vector<report::Module> modules;
  if (!log.processes.empty()) modules = log.processes.back().modules;
  engine::AtomicRanges ranges;
  for (const Named& named : all_) {
    engine::Group group;
    for (const std::string& name : named.names) {
      const auto places = is_address(name) ? std::vector{*parse_address(name)} : find_variable(name, modules);
      if (places.empty()) return Error{missing("variable", name)};
      group.insert(group.end(), places.begin(), places.end());
    }
    if (named.kind == Kind::kGroup)
      ranges.groups.push_back(std::move(group));
    else
      ranges.locations.insert(ranges.locations.end(), group.begin(), group.end());
  }
  return ranges;
}

}  // namespace heddle::launch
