#include "cli/atomic_option.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "report/object_file.hpp"
#include "report/raw_log.hpp"

namespace heddle::cli {
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

// Everywhere: each library may have a static variable of that name.
std::vector<engine::AddressRange> find_variable(const std::string& name, const report::RawLog& log) {
  std::vector<engine::AddressRange> found;
  if (log.processes.empty()) return found;
  for (const report::Module& module : log.processes.back().modules)
    if (const auto file = report::ObjectFile::open(module.path, /*want_debug_info=*/false))
      for (const auto& symbol : file->variables_named(name))
        found.push_back({symbol.start + module.base, symbol.size});
  return found;
}

}  // namespace

std::string AtomicOption::add(const std::string& text) {
  const usize colon = std::min(text.find(':'), text.size());
  const std::string kind = text.substr(0, colon);
  if (colon == text.size() || (kind != "var" && kind != "group"))
    return "--atomic needs var:NAME or group:NAME,NAME..., not '" + text + "'";
  Named named{kind == "group", {}};
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

bool AtomicOption::needs_program() const {
  return std::any_of(all_.begin(), all_.end(), [](const Named& named) {
    return !std::all_of(named.names.begin(), named.names.end(), is_address);
  });
}

report::Result<engine::AtomicRanges> AtomicOption::resolve(const std::string& about) const {
  std::istringstream lines(about);
  const report::RawLog log = report::read_raw_log(lines);
  engine::AtomicRanges ranges;
  for (const Named& named : all_) {
    engine::Group group;
    for (const std::string& name : named.names) {
      const auto places = is_address(name) ? std::vector{*parse_address(name)} : find_variable(name, log);
      if (places.empty())
        return report::Error{"--atomic: there is no variable '" + name + "' in the program"};
      group.insert(group.end(), places.begin(), places.end());
    }
    if (named.is_group)
      ranges.groups.push_back(std::move(group));
    else
      ranges.locations.insert(ranges.locations.end(), group.begin(), group.end());
  }
  return ranges;
}

}  // namespace heddle::cli
