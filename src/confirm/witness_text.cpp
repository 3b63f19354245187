#include "confirm/witness_text.hpp"

#include <algorithm>
#include <utility>

namespace heddle::confirm {
namespace {

using explore::Choice;
using explore::Op;

// "lock 1", "atomic 2": numbered in the order of their first use.
class Names {
 public:
  std::string operator()(const Choice& choice) {
    if (choice.op == Op::kAccess)
      return choice.sites ? "site " + std::to_string(__builtin_ctz(choice.sites) + 1) : "";
    if (choice.object == 0 || choice.op == Op::kGoOn || choice.op == Op::kStart || choice.op == Op::kWait)
      return "";
    const Op kind = choice.op == Op::kTryAcquire ? Op::kAcquire : choice.op;
    auto& known = kind == Op::kAcquire ? locks_ : kind == Op::kAtomic ? atomics_ : others_;
    auto found = std::find(known.begin(), known.end(), choice.object);
    if (found == known.end()) found = known.insert(known.end(), choice.object);
    const char* word = kind == Op::kAcquire ? "lock " : kind == Op::kAtomic ? "atomic " : "object ";
    return word + std::to_string(found - known.begin() + 1);
  }

 private:
  std::vector<u64> locks_, atomics_, others_;
};

// "0.1 runs: reads in deposit: ..., writes in deposit: ..."
std::string in_words(const Target& target, const Choices& choices, const explore::ActorNames& names) {
  std::string text;
  for (usize i = 0; i < choices.size();) {
    usize end = i;
    while (end < choices.size() && choices[end].actor == choices[i].actor) ++end;
    text += "\n  " + names.path(choices[i].actor) + " runs";
    const char* separator = ": ";
    for (usize at = i; at < end; ++at)
      if (choices[at].op == Op::kAccess && choices[at].sites) {
        const report::CodeSite& site = target.sites[static_cast<usize>(__builtin_ctz(choices[at].sites))];
        text += std::string(std::exchange(separator, ", ")) +
                (site.op == report::CodeSite::Op::kRead    ? "reads"
                 : site.op == report::CodeSite::Op::kWrite ? "writes"
                                                           : "passes") +
                " in " + site.function + ": " + site.text;
      }
    i = end;
  }
  return text;
}

}  // namespace

explore::Schedule schedule_of(const Target& target, const Confirmation& confirmation,
                              const explore::ActorNames& names, const std::vector<std::string>& command) {
  explore::Schedule schedule;
  schedule.shows = target.headline + "\neffect: " +
                   (confirmation.effect.text.empty() ? "none that can be seen" : confirmation.effect.text) +
                   in_words(target, confirmation.choices, names);
  schedule.program = command.front();
  schedule.arguments.assign(command.begin() + 1, command.end());
  for (const report::CodeSite& site : target.sites) schedule.sites.push_back(report::to_text(site));
  Names name;
  for (const Choice& choice : confirmation.choices)
    schedule.steps.push_back({names.path(choice.actor), choice.op, name(choice)});
  return schedule;
}

}  // namespace heddle::confirm
