// heddle options: the table of options.
#include <cstdio>

#include "cli/verb.hpp"
#include "settings/options.hpp"

namespace heddle::cli {
namespace {

int run(Settings& settings) {
  if (!settings.operands.empty()) return fail("heddle options takes no arguments");
  std::fputs((settings.options.flag("completion") ? bash_completion() : options_help(~0u)).c_str(), stdout);
  return 0;
}

}  // namespace

const Verb kOptionsVerb{
    "options",
    options::kOptions,
    Operands::kFiles,
    "list the options of all verbs",
    "[--completion]",
    "heddle VERB --help lists the options of one verb. Each option can be given as --name=value on the "
    "command "
    "line, as name=value in HEDDLE_OPTIONS (name=value:name=value; quote a value that has a colon), or as a "
    "line "
    "name=value in the file .heddle of the current directory or the one that --options-file=FILE names. The "
    "command line wins over the environment, the environment over the file.",
    "  heddle options\n"
    "  heddle options --completion >~/.local/share/bash-completion/completions/heddle\n",
    run};

}  // namespace heddle::cli
