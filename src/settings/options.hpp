// The options of one invocation, as the tool reads them: values by name, checked against the table (options/table.inc).
//
// Precedence: command line over environment (`HEDDLE_OPTIONS=name=value:name=value`) over options file
// (`name=value` lines) over initial value.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "options/table.hpp"
#include "support/result.hpp"

namespace heddle::settings {

// Null if there is none. Takes `_` for `-`, and no-NAME for a flag.
const options::Spec* find_option(std::string_view name);

class Options {
 public:
  // Each of these adds settings that win over those added before. `where` names the source in messages.
  Result<bool> add_setting(std::string_view setting,
                           const std::string& where);     // `name=value`, `name`, `no-name`
  Result<bool> add_environment(const std::string& text);  // a=1:b='x:y'
  Result<bool> add_file(const std::string& path);

  bool flag(std::string_view name) const;
  std::uint64_t number(std::string_view name) const;
  double seconds(std::string_view name) const;
  std::string text(std::string_view name) const;
  std::vector<std::uint64_t> numbers(std::string_view name) const;
  // Was it set anywhere? For options without an initial value.
  bool is_given(std::string_view name) const { return values_.contains(name); }

  // The settings that the running program consumes, as `a=1:b=2`.
  std::string runtime_settings() const;

 private:
  const options::Spec& spec(std::string_view name) const;
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace heddle::settings
