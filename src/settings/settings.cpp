#include "settings/settings.hpp"

#include <cstdlib>
#include <filesystem>

namespace heddle::settings {
namespace {

constexpr std::string_view kFileOption = "--options-file=";
constexpr const char* kDefaultFile = ".heddle";

}  // namespace

Result<Settings> collect_settings(const std::vector<std::string>& arguments) {
  Settings settings;
  std::string file;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with("-"); ++i) {
    if (arguments[i] == "--") {
      ++i;
      break;
    }
    if (arguments[i].starts_with(kFileOption))
      file = arguments[i].substr(kFileOption.size());
    else if (arguments[i].starts_with("--"))
      settings.command_line.push_back(arguments[i]);
    else
      return Error{"unknown option '" + arguments[i] +
                   "'; options are written --name=value (heddle options)"};
  }
  settings.operands.assign(arguments.begin() + i, arguments.end());

  if (file.empty() && std::filesystem::is_regular_file(kDefaultFile)) file = kDefaultFile;
  if (!file.empty())
    if (auto added = settings.options.add_file(file); !added) return Error{added.error()};
  if (const char* value = std::getenv("HEDDLE_OPTIONS"))
    if (auto added = settings.options.add_environment(value); !added) return Error{added.error()};
  for (const std::string& option : settings.command_line)
    if (auto added = settings.options.add_setting(option.substr(2), option); !added)
      return Error{added.error()};
  return settings;
}

}  // namespace heddle::settings
