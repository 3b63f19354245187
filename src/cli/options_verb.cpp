// heddle options: the options table.
#include <cstdio>

#include "cli/verb.hpp"
#include "settings/options.hpp"

namespace heddle::cli {
namespace {

std::string text() {
  std::string result =
      "Options of `heddle run` and `heddle report`. Each can be given as --name=value on the command line, "
      "as name=value\n"
      "in HEDDLE_OPTIONS (name=value:name=value), or as a line name=value in the file .heddle of the current "
      "directory\n"
      "(or the one that --options-file=FILE names). The command line wins over the environment, the "
      "environment over\n"
      "the file.\n"
      "\n" +
      options_help(Consumer::Tool);
  if (const std::string runtime = options_help(Consumer::Runtime); !runtime.empty())
    result += "\nHanded to the running program:\n" + runtime;
  return result;
}

int run(const Arguments& arguments) {
  if (!arguments.empty()) return fail("heddle options takes no arguments");
  std::fputs(text().c_str(), stdout);
  return 0;
}

}  // namespace

const Verb kOptionsVerb{"options", "list all options", text, run};

}  // namespace heddle::cli
