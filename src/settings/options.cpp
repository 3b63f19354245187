#include "settings/options.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "settings/suggest.hpp"

namespace heddle::settings {
namespace {

using enum OptionKind;
using enum Consumer;

constexpr std::array kTable = {
    OptionSpec{"check", Choices, "race", "race|atomicity|deadlock", Both,
               "what to look for, separated by commas: data races, atomicity violations (docs/atomicity.md), "
               "deadlocks by lock order (docs/deadlocks.md)"},
    OptionSpec{"atomic", Repeated, "", "KIND:NAME", Tool,
               "with --check=atomicity: what is meant to be atomic, beside what the source says: var:NAME, "
               "group:NAME,NAME, function:NAME, critical-sections, reacquired-locks; may be repeated"},
    OptionSpec{
        "predicted", Flag, "0", "", Tool,
        "list predicted races too: unordered by structure, kept apart in this run by its lock order only"},
    OptionSpec{"fail-on", Choice, "certain", "certain|predicted|none", Tool,
               "which races change the exit code"},
    OptionSpec{"exit-code", Number, "66", "N", Tool,
               "exit code when such races were found; 0 keeps the program's own"},
    OptionSpec{"report", Text, "", "FILE.json", Tool,
               "also write the report for programs; the ending of the name is its format"},
    OptionSpec{"names", Choice, "index", "index|sites|trivial", Both,
               "with --check=deadlock: what locks and tasks are called so that they are "
               "found again in another "
               "run: by execution index, by where they were created, or by their kind only"},
    OptionSpec{"names-depth", Number, "10", "K", Both, "how many calls of the creation a name has"},
    OptionSpec{"suppressions", Text, "", "FILE", Tool,
               "leave out what matches a line of FILE (race:PATTERN, atomicity:PATTERN, deadlock:PATTERN)"},
    OptionSpec{"log-path", Text, "", "FILE", Tool,
               "write the text report to FILE instead of the standard error"},
    OptionSpec{"max-reports", Number, "1000", "N", Tool,
               "describe at most N races, count the rest; 0 describes all"},
    OptionSpec{"color", Choice, "auto", "auto|always|never", Tool,
               "colours; auto: on a terminal, unless NO_COLOR is set"},
    OptionSpec{"stats", Flag, "0", "", Both, "print the counters of the run"},
    OptionSpec{"quiet", Flag, "0", "", Tool, "print nothing when no race was found"},
    OptionSpec{"serial", Flag, "0", "", Both,
               "run under the verification runtime: one logical thread at a time, the same way every time"},
    OptionSpec{"keep-log", Text, "", "FILE", Tool, "keep the raw log; `heddle report FILE` renders it again"},
    OptionSpec{
        "memory-limit-mb", Number, "0", "N", Runtime,
        "memory that the analysis may use, in MiB; beyond it, it stops and says so; 0: no limit of its own"},
    OptionSpec{
        "halt-on-deadlock", Flag, "0", "", Runtime,
        "with --check=deadlock: end the program, with exit code 66, as soon as some of its threads wait "
        "for each other's locks in a circle"},
    OptionSpec{"timeout", Number, "0", "SECONDS", Tool,
               "end the program after that time, and say where each thread stands: exit code 124, if nothing "
               "was found; 0: never"},
    OptionSpec{"hang-after", Number, "10", "SECONDS", Tool,
               "end the program, with exit code 66, if each of its threads has waited for another one for so "
               "long; 0: never"},
    OptionSpec{"threads", Number, "0", "N", Runtime,
               "with --serial: logical threads of an OpenMP team; 0: as many as OMP_NUM_THREADS says"},
    OptionSpec{"every-serial-thread", Flag, "0", "", Runtime,
               "heddle prove: explore every choice of the thread to which a barrier returns "
               "PTHREAD_BARRIER_SERIAL_THREAD"},
    OptionSpec{"races", Flag, "1", "", Runtime,
               "look for races; 0 only runs the hooks, to see what instrumentation alone costs"},
};

std::string normal_name(std::string_view name) {
  std::string normal(name);
  std::replace(normal.begin(), normal.end(), '_', '-');
  return normal;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

bool is_flag_value(std::string_view value) {
  static constexpr std::array kWords = {"0", "1", "false", "true", "no", "yes", "off", "on"};
  return std::find(kWords.begin(), kWords.end(), value) != kWords.end();
}

// Empty if the value fits the option.
std::string complaint(const OptionSpec& option, std::string_view value) {
  const std::string quoted = "'" + std::string(value) + "' for the option '" + std::string(option.name) + "'";
  switch (option.kind) {
    case Flag:
      return is_flag_value(value) ? "" : quoted + " is not 0 or 1";
    case Text:
    case Repeated:
      return value.empty() ? "the option '" + std::string(option.name) + "' needs a value" : "";
    case Number: {
      std::uint64_t number;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      return error == std::errc() && end == value.data() + value.size() ? "" : quoted + " is not a number";
    }
    case Choice: {
      const auto words = split(option.value, '|');
      if (std::find(words.begin(), words.end(), value) != words.end()) return "";
      return quoted + " is not one of " + std::string(option.value);
    }
    case Choices: {
      const auto words = split(option.value, '|');
      for (const std::string_view word : split(value, ','))
        if (std::find(words.begin(), words.end(), word) == words.end())
          return "'" + std::string(word) + "' for the option '" + std::string(option.name) +
                 "' is not one of " + std::string(option.value);
      return "";
    }
  }
  return "";
}

}  // namespace

std::span<const OptionSpec> option_table() { return kTable; }

const OptionSpec* find_option(std::string_view name) {
  const auto it =
      std::find_if(kTable.begin(), kTable.end(), [&](const OptionSpec& o) { return o.name == name; });
  return it == kTable.end() ? nullptr : &*it;
}

Result<bool> Options::add_setting(std::string_view setting, const std::string& where) {
  const std::size_t equals = setting.find('=');
  const bool has_value = equals != std::string_view::npos;
  std::string name = normal_name(setting.substr(0, equals));
  std::string value = has_value ? std::string(setting.substr(equals + 1)) : "1";
  const OptionSpec* option = find_option(name);
  if (!option && !has_value && name.starts_with("no-")) {
    option = find_option(name.substr(3));
    if (option && option->kind != Flag) option = nullptr;
    if (option) value = "0";
  }
  if (!option) {
    std::vector<std::string> known;
    for (const OptionSpec& each : kTable) known.emplace_back(each.name);
    return Error{where + ": unknown option '" + name + "'" + did_you_mean(name, known)};
  }
  if (!has_value && option->kind != Flag)
    return Error{where + ": the option '" + name + "' needs a value: " + name + "=" +
                 std::string(option->value)};
  if (const std::string problem = complaint(*option, value); !problem.empty())
    return Error{where + ": " + problem};
  std::string& known = values_[std::string(option->name)];
  known = option->kind == Repeated && !known.empty() ? known + ";" + value : value;
  return true;
}

Result<bool> Options::add_environment(std::string_view text) {
  std::string setting;
  char quote = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool end = i == text.size() || (!quote && text[i] == ':');
    if (!end) {
      if (quote ? text[i] == quote : text[i] == '\'' || text[i] == '"')
        quote = quote ? 0 : text[i];
      else
        setting += text[i];
      continue;
    }
    if (!setting.empty())
      if (auto added = add_setting(setting, "HEDDLE_OPTIONS"); !added) return added;
    setting.clear();
  }
  return true;
}

Result<bool> Options::add_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error{"cannot open the options file '" + path + "': " + std::strerror(errno)};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.front() == '#') continue;
    if (auto added = add_setting(line, path + ":" + std::to_string(number)); !added) return added;
  }
  return true;
}

std::string_view Options::value_of(std::string_view name) const {
  const OptionSpec* option = find_option(name);
  if (!option) throw std::logic_error("an option that is not in the table");
  const auto it = values_.find(std::string(name));
  return it == values_.end() ? option->default_value : std::string_view(it->second);
}

bool Options::flag(std::string_view name) const {
  const std::string_view value = value_of(name);
  return value == "1" || value == "true" || value == "yes" || value == "on";
}

std::uint64_t Options::number(std::string_view name) const {
  const std::string_view value = value_of(name);
  std::uint64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

std::string Options::text(std::string_view name) const { return std::string(value_of(name)); }

std::string Options::runtime_settings() const {
  std::string settings;
  for (const auto& [name, value] : values_)
    if (find_option(name)->consumer != Tool) settings += (settings.empty() ? "" : ":") + name + "=" + value;
  return settings;
}

std::string options_help(Consumer consumer) {
  std::string text;
  for (const OptionSpec& option : kTable) {
    if ((option.consumer == Runtime) != (consumer == Runtime)) continue;
    std::string head = "  --" + std::string(option.name);
    if (!option.value.empty()) head += "=" + std::string(option.value);
    head.resize(std::max<std::size_t>(head.size() + 1, 36), ' ');
    text += head + std::string(option.help);
    if (!option.default_value.empty() && option.default_value != "0")
      text += " (default " + std::string(option.default_value) + ")";
    text += "\n";
  }
  return text;
}

}  // namespace heddle::settings
