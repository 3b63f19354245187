#include "engine/oracle/oracle.hpp"

#include <algorithm>

#include "checker/oracle/all_pairs.hpp"

namespace heddle::engine {

using namespace event;

namespace {

// The bytes that both touch and that are not new since the first.
std::set<u64> common_bytes(const History& history, u32 first, u32 second) {
  const auto& a = std::get<event::Access>(history[first]);
  const auto& b = std::get<event::Access>(history[second]);
  std::set<u64> bytes;
  for (u64 byte = std::max(a.address, b.address); byte < std::min(a.address + a.size, b.address + b.size);
       ++byte)
    bytes.insert(byte);
  for (u32 i = first + 1; i < second && !bytes.empty(); ++i)
    std::erase_if(bytes, [&](u64 byte) { return renews(history[i], byte); });
  return bytes;
}

std::string pair(EventPair events) {
  return "events " + std::to_string(events.first) + " and " + std::to_string(events.second);
}

}  // namespace

Truth::Truth(const History& history, bool predicted_too) {
  race::AllPairs all(history);
  for (const race::RacingPair& race : all.races()) {
    if (!race.certain && !predicted_too) continue;
    std::set<u64> bytes = common_bytes(history, race.first, race.second);
    racy.insert(bytes.begin(), bytes.end());
    pairs[{race.first, race.second}] = std::move(bytes);
  }
}

Found::Found(const EngineKind& kind, const Options& options, const History& history) {
  std::unique_ptr<Engine> engine = kind.make(options);
  engine->races.observer = [&](const Side& a, const Side& b, u64 address, u64 bytes) {
    for (u32 i = 0; i < 64; ++i)
      if (bytes >> i & 1) {
        racy.insert(address + i);
        pairs[{std::min(a.site, b.site), std::max(a.site, b.site)}].insert(address + i);
      }
  };
  for (u32 i = 0; i < history.size(); ++i) {
    Event event = history[i];
    if (auto* access = std::get_if<event::Access>(&event)) access->site = i;
    engine->add(event);
  }
  engine->finish();
}

std::optional<std::string> false_alarm(const Truth& truth, const Found& found) {
  for (const auto& [events, bytes] : found.pairs) {
    auto race = truth.pairs.find(events);
    if (race == truth.pairs.end()) return "a race that is none: " + pair(events);
    if (!std::includes(race->second.begin(), race->second.end(), bytes.begin(), bytes.end()))
      return "not all of the named bytes race: " + pair(events);
  }
  return std::nullopt;
}

std::optional<std::string> disagreement(const Truth& truth, const Found& found) {
  if (auto words = false_alarm(truth, found)) return words;
  for (const auto& [events, bytes] : truth.pairs)
    if (!std::includes(found.racy.begin(), found.racy.end(), bytes.begin(), bytes.end()))
      return "no race found where these race: " + pair(events);
  return std::nullopt;
}

}  // namespace heddle::engine
