#include "settings/options.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "settings/suggest.hpp"
#include "support/files.hpp"

namespace heddle::settings {
namespace {

using options::Kind;
using options::Problem;
using options::Setting;
using options::Spec;

options::Slice slice(std::string_view text) { return {text.data(), text.data() + text.size()}; }
std::string string(options::Slice text) { return {text.begin, text.end}; }

std::string bounds(const options::Type& type) {
  return " from " + std::to_string(type.least) + " to " + std::to_string(type.most);
}

std::string complaint(const Setting& setting) {
  const std::string name = setting.spec->name.text;
  const options::Type& type = setting.spec->type;
  const std::string quoted = "'" + string(setting.text) + "' for the option '" + name + "' is not ";
  switch (setting.value.problem) {
    case Problem::kNone:
      return "";
    case Problem::kNoValue:
      return "the option '" + name + "' needs a value: " + name + "=" + type.value;
    case Problem::kNotAFlag:
      return quoted + "0 or 1";
    case Problem::kNotANumber:
      return quoted + "a number" + bounds(type);
    case Problem::kNotSeconds:
      return quoted + "a number of seconds" + bounds(type);
    case Problem::kOutOfBounds:
      return quoted + "a number" + (type.kind == Kind::kSeconds ? " of seconds" : "") + bounds(type);
    case Problem::kNotAWord:
      return quoted + (type.kind == Kind::kChoices ? "a list of " : "one of ") + type.value;
  }
  return "";
}

// One canonical form per value, so that equal settings of a program are equal texts.
std::string normal_text(const Setting& setting) {
  return setting.spec->type.kind == Kind::kFlag ? std::to_string(setting.value.meaning)
                                                : string(setting.text);
}

}  // namespace

const Spec* find_option(std::string_view name) {
  return options::parse_setting(options::kTable, options::kTableSize, slice(name)).spec;
}

Result<bool> Options::add_setting(std::string_view text, const std::string& where) {
  const Setting setting = options::parse_setting(options::kTable, options::kTableSize, slice(text));
  if (!setting.spec) {
    const std::string name = string(setting.name);
    std::vector<std::string> known;
    for (const Spec& each : options::kTable) known.emplace_back(each.name.text);
    return Error{where + ": unknown option '" + name + "'" + did_you_mean(name, known)};
  }
  if (setting.value.problem != Problem::kNone) return Error{where + ": " + complaint(setting)};
  std::string& value = values_[setting.spec->name.text];
  const std::string added = normal_text(setting);
  const Kind kind = setting.spec->type.kind;
  const char* separator = kind == Kind::kList ? ";" : kind == Kind::kNumbers ? "," : nullptr;
  value = separator && !value.empty() ? value + separator + added : added;
  return true;
}

Result<bool> Options::add_environment(const std::string& text) {
  const char* rest = text.c_str();
  while (true) {
    std::string setting;
    rest = options::take_setting(rest, [&](char c) { setting += c; });
    if (!rest) return true;
    if (auto added = add_setting(setting, "HEDDLE_OPTIONS"); !added) return added;
  }
}

Result<bool> Options::add_file(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return Error{"cannot read the options file '" + path + "': " + text.error()};
  int number = 0;
  for (const std::string_view raw : lines_of(*text)) {
    ++number;
    std::string line(raw);
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.front() == '#') continue;
    if (auto added = add_setting(line, path + ":" + std::to_string(number)); !added) return added;
  }
  return true;
}

const Spec& Options::spec(std::string_view name) const {
  const Spec* spec = options::find(options::kTable, options::kTableSize, slice(name));
  if (!spec) throw std::logic_error("an option that is not in the table");
  return *spec;
}

std::string Options::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? spec(name).initial : found->second;
}

std::uint64_t Options::number(std::string_view name) const {
  const std::string value = text(name);
  return options::parse_value(spec(name).type, slice(value)).meaning;
}

bool Options::flag(std::string_view name) const { return number(name) != 0; }

double Options::seconds(std::string_view name) const {
  return static_cast<double>(number(name)) / static_cast<double>(options::kMicroseconds);
}

std::vector<std::uint64_t> Options::numbers(std::string_view name) const {
  std::vector<std::uint64_t> result;
  const std::string all = text(name);
  for (options::Slice rest = slice(all); rest.begin != rest.end;)
    result.push_back(std::stoull(string(rest.take_until(','))));
  return result;
}

std::string Options::runtime_settings() const {
  std::string settings;
  for (const auto& [name, value] : values_)
    if (spec(name).to_program) settings += (settings.empty() ? "" : ":") + name + "=" + value;
  return settings;
}

}  // namespace heddle::settings
