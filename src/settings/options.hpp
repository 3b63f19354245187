// Every option of `heddle run` and `heddle report`, declared once: the command line (`--name=value`), the
// environment
// (`HEDDLE_OPTIONS=name=value:name=value`), the options file (`name=value` lines) and `--help` all read this
// one table.
//
// Precedence: command line over environment over file over default. `_` and `-` are the same in a name; a
// flag alone means 1, `--no-flag` means 0. A runtime option is not interpreted here: it is checked by name
// and handed to the program.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace heddle::settings {

// Choices: some of the words, separated by commas. Repeated: a text that may be given several times; they are joined with `;`.
enum class OptionKind { Flag, Number, Text, Choice, Choices, Repeated };
enum class Consumer { Tool, Runtime, Both };

struct OptionSpec {
  std::string_view name;
  OptionKind kind;
  std::string_view default_value;
  std::string_view
      value;  // how --help names the value; for a Choice, and Choices, the words, separated by `|`
  Consumer consumer;
  std::string_view help;
};

std::span<const OptionSpec> option_table();
const OptionSpec* find_option(std::string_view name);

class Options {
 public:
  // Each of these adds settings that win over those added before. `where` names the source in messages.
  Result<bool> add_setting(std::string_view setting,
                           const std::string& where);    // `name=value`, `name`, `no-name`
  Result<bool> add_environment(std::string_view value);  // a=1:b='x:y'
  Result<bool> add_file(const std::string& path);

  bool flag(std::string_view name) const;
  std::uint64_t number(std::string_view name) const;
  std::string text(std::string_view name) const;
  bool is_set(std::string_view name) const { return values_.contains(std::string(name)); }

  // The settings that the running program consumes, as `a=1:b=2`.
  std::string runtime_settings() const;

 private:
  std::string_view value_of(std::string_view name) const;
  std::map<std::string, std::string> values_;
};

// The table as text, for --help: what the tool reads (Tool, Both) or what only the program does (Runtime).
std::string options_help(Consumer);

}  // namespace heddle::settings
