// The texts of --help: a verb's own text, and its options, from the table.
#include <algorithm>

#include "cli/verb.hpp"
#include "options/table.hpp"

namespace heddle::cli {
namespace {

constexpr usize kWidth = 100;      // columns
constexpr usize kHelpColumn = 26;  // where the help of an option begins

// Breaks a paragraph into lines. The first continues a line that has `used` columns; the others are indented.
std::string wrapped(std::string_view text, usize used, usize indent) {
  std::string result;
  usize column = used;
  for (usize at = 0; at < text.size();) {
    const usize end = std::min(text.find(' ', at), text.size());
    const usize size = end - at;
    if (column > indent && column + size > kWidth) {
      if (!result.empty() && result.back() == ' ') result.pop_back();
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    result += text.substr(at, size);
    result += ' ';
    column += size + 1;
    at = end + 1;
  }
  if (!result.empty()) result.pop_back();
  return result + "\n";
}

std::string head(const options::Spec& spec) {
  const std::string name = spec.name.text, value = spec.type.value;
  if (spec.type.kind == options::Kind::kFlag)
    return (std::string_view(spec.initial) == "1" ? "  --no-" : "  --") + name;
  return (name == "output" ? "  -o FILE, --" : "  --") + name + "=" + value;
}

std::string describe(const options::Spec& spec) {
  std::string line = head(spec);
  if (line.size() + 2 > kHelpColumn)
    line += "\n" + std::string(kHelpColumn, ' ');
  else
    line.resize(kHelpColumn, ' ');
  std::string help = spec.help;
  const std::string_view initial = spec.initial;
  if (spec.type.kind != options::Kind::kFlag && !initial.empty() && initial != "0")
    help += " (default " + std::string(initial) + ")";
  return line + wrapped(help, kHelpColumn, kHelpColumn);
}

}  // namespace

std::string options_help(u32 verbs) {
  std::string text;
  for (const options::Spec& spec : options::kTable)
    if (spec.verbs & verbs) text += describe(spec);
  return text;
}

std::string help_of(const Verb& verb) {
  std::string text = "heddle " + std::string(verb.name) + ": " + std::string(verb.summary) +
                     "\n\nusage: heddle " + std::string(verb.name) + (verb.usage.empty() ? "" : " ") +
                     std::string(verb.usage) + "\n\n" + wrapped(verb.about, 0, 0);
  if (verb.lists) text += "\n" + verb.lists();
  if (const std::string options = options_help(verb.id); !options.empty()) {
    text += "\noptions";
    if (verb.operands != Operands::kCompiler)
      text += " (also in HEDDLE_OPTIONS=name=value:name=value and as lines of the file .heddle)";
    text += ":\n" + options;
  }
  return text + "\nexamples:\n" + std::string(verb.examples);
}

}  // namespace heddle::cli
