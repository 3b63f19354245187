// What engines must find in a history, and what one found: for tests.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/engine.hpp"
#include "event/event.hpp"

namespace heddle::engine {

using EventPair = std::pair<u32, u32>;  // the numbers of two accesses, in the order of the history

// From all pairs: the certain races, or all of them.
struct Truth {
  Truth(const event::History& history, bool predicted_too);

  std::set<u64> racy;                        // bytes
  std::map<EventPair, std::set<u64>> pairs;  // and the bytes that they race on
};

// What an engine says of a history whose accesses have their own numbers as sites.
struct Found {
  Found(const EngineKind& kind, const Options& options, const event::History& history);

  std::set<u64> racy;
  std::map<EventPair, std::set<u64>> pairs;
};

// The first difference in words, or nothing.
std::optional<std::string> disagreement(const Truth& truth, const Found& found);
// The first pair that is found and not true, in words, or nothing.
std::optional<std::string> false_alarm(const Truth& truth, const Found& found);

}  // namespace heddle::engine
