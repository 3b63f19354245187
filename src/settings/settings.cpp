#include "settings/settings.hpp"

#include <cstdlib>
#include <filesystem>

namespace heddle::settings {
namespace {

// The one option that has a letter, as compilers have it: -o FILE, -oFILE.
constexpr std::string_view kOutputLetter = "-o", kOutput = "--output";

// Splits a command line into options, as --name=value, and operands.
Result<bool> split(Operands kind, const std::vector<std::string>& arguments, Settings& settings) {
  std::size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") {
      ++i;
      break;
    }
    if (word.starts_with("--")) {
      settings.command_line.push_back(word);
    } else if (word == kOutputLetter) {
      if (++i == arguments.size()) return Error{"-o needs the name of a file"};
      settings.command_line.push_back(std::string(kOutput) + "=" + arguments[i]);
    } else if (word.starts_with(kOutputLetter)) {
      settings.command_line.push_back(std::string(kOutput) + "=" + word.substr(kOutputLetter.size()));
    } else if (word.starts_with("-") && word != "-") {
      return Error{"unknown option '" + word + "'; options are written --name=value (heddle options)"};
    } else if (kind == Operands::kFiles) {
      settings.operands.push_back(word);
    } else {
      break;
    }
  }
  settings.operands.insert(settings.operands.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i),
                           arguments.end());
  return true;
}

// "" if the verb takes the option, or if there is no such option.
std::string wrong_verb(const std::string& option, options::Verbs verb, std::string_view name) {
  const options::Spec* spec = find_option(option.substr(2));
  if (!spec || (spec->verbs & verb)) return "";
  return option + ": heddle " + std::string(name) + " has no option '" + spec->name.text + "' (heddle " +
         std::string(name) + " --help lists its options)";
}

}  // namespace

Result<Settings> collect_settings(options::Verbs verb, std::string_view name, Operands operands,
                                  const std::vector<std::string>& arguments) {
  Settings settings;
  if (operands == Operands::kCompiler) {
    settings.operands = arguments;
    return settings;
  }
  if (auto parts = split(operands, arguments, settings); !parts) return Error{parts.error()};
  // Added separately: they may name the options file, which is read first, and mistakes of the command line are
  // reported before those of a file.
  Options given;
  for (const std::string& option : settings.command_line) {
    if (const std::string wrong = wrong_verb(option, verb, name); !wrong.empty()) return Error{wrong};
    if (auto added = given.add_setting(std::string_view(option).substr(2), option); !added)
      return Error{added.error()};
  }
  const std::string file = given.text("options-file");
  if (given.is_given("options-file") || std::filesystem::is_regular_file(file))
    if (auto added = settings.options.add_file(file); !added) return Error{added.error()};
  if (const char* value = std::getenv("HEDDLE_OPTIONS"))
    if (auto added = settings.options.add_environment(value); !added) return Error{added.error()};
  for (const std::string& option : settings.command_line)
    if (auto added = settings.options.add_setting(std::string_view(option).substr(2), option); !added)
      return Error{added.error()};
  return settings;
}

}  // namespace heddle::settings
