#include "report/suppressions.hpp"

#include <algorithm>
#include <optional>

#include "support/files.hpp"

namespace heddle::report {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// The whole text, or any tail of it that follows `separator`.
bool matches_tail(std::string_view pattern, std::string_view text, std::string_view separator) {
  if (text.empty()) return false;
  if (glob_match(pattern, text)) return true;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator, at + 1))
    if (glob_match(pattern, text.substr(at + separator.size()))) return true;
  return false;
}

bool matches_frame(std::string_view pattern, const Frame& frame) {
  return matches_tail(pattern, frame.function, "::") || matches_tail(pattern, frame.full_name, "::") ||
         glob_match(pattern, frame.linkage_name) || matches_tail(pattern, frame.path, "/") ||
         (frame.line > 0 && matches_tail(pattern, frame.path + ":" + std::to_string(frame.line), "/")) ||
         glob_match(pattern, frame.module);
}

// `grid` silences `grid[3].count` too: a rule about a variable is about all of it.
bool matches_variable(std::string_view pattern, std::string_view variable) {
  if (variable.empty()) return false;
  return matches_tail(pattern, variable, "::") ||
         matches_tail(pattern, variable.substr(0, variable.find_first_of("[. ")), "::");
}

std::optional<Suppressions::About> about_of(std::string_view kind) {
  if (kind == "race") return Suppressions::About::Race;
  if (kind == "atomicity") return Suppressions::About::Violation;
  if (kind == "deadlock") return Suppressions::About::Deadlock;
  return std::nullopt;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& where) {
  Suppressions result;
  int number = 0;
  for (const std::string_view raw : lines_of(text)) {
    ++number;
    const std::string_view line = trimmed(raw);
    if (line.empty() || line.front() == '#') continue;
    const std::string place = where + ":" + std::to_string(number);
    const std::size_t colon = line.find(':');
    const std::string_view type = line.substr(0, colon);
    const bool top_only = type.ends_with("_top");
    const std::string_view kind = top_only ? type.substr(0, type.size() - 4) : type;
    const auto about = about_of(kind);
    if (colon == std::string_view::npos || !about)
      return Error{place + ": '" + std::string(line) +
                   "' is not a suppression; write 'race:PATTERN' or 'race_top:PATTERN', or the same with "
                   "'atomicity' or 'deadlock'"};
    const std::string_view pattern = trimmed(line.substr(colon + 1));
    if (pattern.empty()) return Error{place + ": the pattern after '" + std::string(type) + ":' is empty"};
    result.rules_.push_back({std::string(pattern), *about, top_only, std::string(line), place});
  }
  return result;
}

Result<Suppressions> Suppressions::load(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return Error{"cannot read the suppressions file '" + path + "': " + text.error()};
  return parse(*text, path);
}

bool Suppressions::matches(const Rule& rule, const Stack& stack) {
  for (const Frame& frame : stack.frames) {
    if (matches_frame(rule.pattern, frame)) return true;
    if (rule.top_only) return false;
  }
  return false;
}

bool Suppressions::match(About about, const std::vector<const Stack*>& stacks,
                         const std::vector<std::string>& variables) {
  bool silenced = false;
  for (Rule& rule : rules_)
    if (rule.about == about &&
        (std::any_of(stacks.begin(), stacks.end(),
                     [&](const Stack* stack) { return matches(rule, *stack); }) ||
         (!rule.top_only && std::any_of(variables.begin(), variables.end(), [&](const auto& variable) {
           return matches_variable(rule.pattern, variable);
         }))))
      silenced = rule.used = true;
  return silenced;
}

std::vector<UnusedSuppression> Suppressions::unused() const {
  std::vector<UnusedSuppression> unused;
  for (const Rule& rule : rules_)
    if (!rule.used) unused.push_back({rule.text, rule.where});
  return unused;
}

}  // namespace heddle::report
