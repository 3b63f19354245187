// Bash completion, printed by `heddle options --completion`: the verbs, their options and the words that options take.
#include "cli/verb.hpp"
#include "options/table.hpp"

namespace heddle::cli {
namespace {

std::string words_of(u32 verbs) {
  std::string text;
  for (const options::Spec& spec : options::kTable) {
    if (!(spec.verbs & verbs)) continue;
    const bool is_flag = spec.type.kind == options::Kind::kFlag;
    text += is_flag && std::string_view(spec.initial) == "1" ? "--no-" : "--";
    text += spec.name.text;
    text += is_flag ? " " : "= ";
  }
  return text + "--help";
}

std::string choices() {
  std::string text;
  for (const options::Spec& spec : options::kTable) {
    if (spec.type.kind != options::Kind::kChoice && spec.type.kind != options::Kind::kChoices) continue;
    std::string words = spec.type.value;
    for (char& c : words)
      if (c == '|') c = ' ';
    text += "    --" + std::string(spec.name.text) + ") words=\"" + words + "\" ;;\n";
  }
  return text;
}

// `run | prove`: the verbs whose options end at the program.
std::string with_program() {
  std::string text;
  for (const Verb* verb : verbs())
    if (verb->operands == Operands::kProgram) text += (text.empty() ? "" : " | ") + std::string(verb->name);
  return text;
}

}  // namespace

std::string bash_completion() {
  std::string names, cases;
  for (const Verb* verb : verbs()) {
    names += std::string(verb->name) + " ";
    cases += "    " + std::string(verb->name) + ") words=\"" + words_of(verb->id) + "\" ;;\n";
  }
  return R"(# bash completion for heddle, printed by `heddle options --completion`.
_heddle() {
  local word=${COMP_WORDS[COMP_CWORD]} words= i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W ")" +
         names + R"(--help --version" -- "$word")
    return
  fi
  # What follows the program belongs to it. Bash takes `=` for a word.
  case ${COMP_WORDS[1]} in
    )" + with_program() +
         R"()
      for ((i = 2; i < COMP_CWORD; ++i)); do
        [[ ${COMP_WORDS[i]} == -* || ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]] || return
      done ;;
  esac
  if [[ $word == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    [[ $word == = ]] && word= && i=1 || i=2
    case ${COMP_WORDS[COMP_CWORD - i]} in
)" + choices() +
         R"(    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    return
  fi
  [[ $word == -* ]] || return
  case ${COMP_WORDS[1]} in
)" + cases +
         R"(  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _heddle heddle ./heddle
)";
}

}  // namespace heddle::cli
