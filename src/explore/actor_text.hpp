// Lines of texts about executions: words, numbers, and sequences of actors by their spawn paths ("0 0.1x3 0.2").
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "explore/execution.hpp"

namespace heddle::explore {

// Writes a space before each.
std::string actors_text(const std::vector<ActorNumber>& actors, const ActorNames& names);
// Appends to `actors`. Returns false if a word is not an actor.
bool parse_actors(std::string_view text, ActorNames& names, std::vector<ActorNumber>& actors);

// A line for each field. parse_stepping is false if `name` is none of them.
std::string stepping_lines(const Stepping& stepping);
bool parse_stepping(std::string_view name, std::string_view value, Stepping& stepping);

std::string_view take_line(std::string_view& text);
// Removes the text up to the next space, and that space, and returns the text.
std::string_view take_word(std::string_view& line);

template <class Number>
bool parse_number(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace heddle::explore
