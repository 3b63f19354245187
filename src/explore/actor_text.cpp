#include "explore/actor_text.hpp"

#include <algorithm>
#include <utility>

namespace heddle::explore {

namespace {

// Limit of one repeat count ("x3"): a damaged count must not exhaust the memory.
constexpr u64 kLongestRun = 1 << 16;

constexpr std::pair<std::string_view, bool Stepping::*> kSteppings[] = {
    {"split-acquisitions", &Stepping::split_acquisitions},
    {"repeat-polls", &Stepping::repeat_polls},
};

}  // namespace

std::string stepping_lines(const Stepping& stepping) {
  std::string text;
  for (auto [name, field] : kSteppings) text += std::string(name) + (stepping.*field ? " yes\n" : " no\n");
  return text;
}

bool parse_stepping(std::string_view name, std::string_view value, Stepping& stepping) {
  for (auto [known, field] : kSteppings) {
    if (known != name) continue;
    stepping.*field = value == "yes";
    return true;
  }
  return false;
}

std::string actors_text(const std::vector<ActorNumber>& actors, const ActorNames& names) {
  std::string text;
  for (usize i = 0; i < actors.size();) {
    usize same = 1;
    while (i + same < actors.size() && same < kLongestRun && actors[i + same] == actors[i]) ++same;
    text += " " + names.path(actors[i]);
    if (same > 1) text += "x" + std::to_string(same);
    i += same;
  }
  return text;
}

bool parse_actors(std::string_view text, ActorNames& names, std::vector<ActorNumber>& actors) {
  while (!text.empty()) {
    std::string_view word = take_word(text);
    if (word.empty()) continue;
    u64 count = 1;
    if (usize times = word.find('x'); times != word.npos) {
      if (!parse_number(word.substr(times + 1), count) || count == 0 || count > kLongestRun) return false;
      word = word.substr(0, times);
    }
    ActorNumber actor = names.find_or_add_path(word);
    if (actor == ActorNames::kNoActor) return false;
    actors.insert(actors.end(), count, actor);
  }
  return true;
}

std::string_view take_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::string_view take_word(std::string_view& line) {
  std::string_view first = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), first.size() + 1));
  return first;
}

}  // namespace heddle::explore
