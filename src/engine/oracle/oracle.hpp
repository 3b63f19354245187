// The true races of a history, and those that an engine found: for tests.
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
  std::map<EventPair, std::set<u64>> pairs;  // the bytes they race on
};

// The result of an engine on a history whose accesses have their own numbers as sites.
struct Found {
  Found(const EngineKind& kind, const Options& options, const event::History& history);

  std::set<u64> racy;
  std::map<EventPair, std::set<u64>> pairs;
};

// The first difference as text, or nothing.
std::optional<std::string> disagreement(const Truth& truth, const Found& found);
// The first pair that was found and is no race, as text, or nothing.
std::optional<std::string> false_alarm(const Truth& truth, const Found& found);

}  // namespace heddle::engine
