#include "explore/analysis.hpp"

#include <algorithm>
#include <map>

#include "explore/segments.hpp"

namespace heddle::explore {
namespace {

// The last steps that touched an object, per mode.
struct KeyHistory {
  std::vector<u32> last[4];
};

// An access to a segment. Only the last of several accesses of one actor that agree in everything else is kept.
struct Entry {
  u32 maker;
  u32 step;
  const std::vector<Held>* locks;
  bool write, atomic;
  bool like(const Entry& other) const {
    return maker == other.maker && write == other.write && atomic == other.atomic && *locks == *other.locks;
  }
};

void keep(std::vector<Entry>& entries, const Entry& entry) {
  auto old =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& other) { return other.like(entry); });
  if (old == entries.end())
    entries.push_back(entry);
  else
    *old = entry;
}

}  // namespace

std::vector<std::vector<u32>> find_dependences(std::span<const u32> who,
                                               const std::vector<FootprintRef>& footprints) {
  Segments segments;
  for (const FootprintRef& footprint : footprints)
    for (const Touch& touch : footprint->touches) segments.add(touch.begin, touch.end);
  segments.settle();
  std::vector<std::vector<Entry>> entries(segments.size());
  std::map<std::pair<KeyKind, u64>, KeyHistory> keys;

  std::vector<std::vector<u32>> result(footprints.size());
  for (u32 step = 0; step < footprints.size(); ++step) {
    u32 maker = who[step];
    const Footprint& footprint = *footprints[step];
    std::vector<u32>& found = result[step];
    for (const Key& key : footprint.keys) {
      KeyHistory& history = keys[{key.kind, key.object}];
      for (u8 mode = 0; mode < 4; ++mode)
        if (exclude(key.mode, static_cast<KeyMode>(mode)))
          for (u32 other : history.last[mode])
            if (who[other] != maker) found.push_back(other);
      // The write comes after all of them, so whatever depends on one of them depends on the write.
      if (key.mode == KeyMode::kWriteChange)
        for (auto& steps : history.last) steps.clear();
      auto& alike = history.last[static_cast<u8>(key.mode)];
      std::erase_if(alike, [&](u32 other) { return who[other] == maker; });
      alike.push_back(step);
    }
    for (const Touch& touch : footprint.touches) {
      auto [first, last] = segments.of(touch.begin, touch.end);
      for (usize i = first; i < last; ++i)
        for (const Entry& entry : entries[i])
          if (entry.maker != maker && (entry.write || touch.write) &&
              ((entry.atomic && touch.atomic) || exclude(*entry.locks, footprint.locks)))
            found.push_back(entry.step);
    }
    for (const Touch& touch : footprint.touches) {
      auto [first, last] = segments.of(touch.begin, touch.end);
      for (usize i = first; i < last; ++i)
        keep(entries[i], {maker, step, &footprint.locks, touch.write, touch.atomic});
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  return result;
}

namespace {

std::vector<FootprintRef> footprints_of(const Execution& execution, const Reduction& reduction) {
  std::vector<FootprintRef> footprints;
  footprints.reserve(execution.steps.size());
  for (const Step& step : execution.steps)
    footprints.push_back(std::make_shared<Footprint>(reduction.footprint(step)));
  return footprints;
}

std::vector<u32> actors_of(const Execution& execution) {
  std::vector<u32> actors;
  for (const Step& step : execution.steps) actors.push_back(step.actor);
  return actors;
}

std::unordered_map<ActorNumber, u32> chains_of(const Execution& execution) {
  std::unordered_map<ActorNumber, u32> chains;
  for (const Step& step : execution.steps) chains.try_emplace(step.actor, static_cast<u32>(chains.size()));
  return chains;
}

}  // namespace

Analysis::Analysis(const Execution& execution, const Reduction& reduction,
                   const std::function<bool()>& unwanted)
    : execution_(execution),
      reduction_(reduction),
      footprints_(footprints_of(execution, reduction)),
      dependences_(find_dependences(actors_of(execution), footprints_)),
      chains_(chains_of(execution)),
      clocks_(static_cast<u32>(chains_.size())) {
  actors_.resize(chains_.size());
  steps_of_.resize(chains_.size());
  for (auto [actor, chain] : chains_) actors_[chain] = actor;
  for (u32 i = 0; i < size(); ++i) {
    constexpr u32 kBetweenLooks = 256;
    if (unwanted && i % kBetweenLooks == 0 && unwanted()) {
      is_whole_ = false;
      return;
    }
    const Step& step = execution.steps[i];
    u32 chain = chains_.at(step.actor);
    steps_of_[chain].push_back(i);
    clocks_.begin(chain);
    for (u32 earlier : step.after) clocks_.join(earlier);
    for (u32 earlier : dependences_[i]) clocks_.join(earlier);
    for (const Held& held : step.gained) holdings_[held.lock].push_back({step.actor, held.write, i});
    for (const Held& held : step.given) {
      std::vector<Holding>& holdings = holdings_[held.lock];
      for (auto holding = holdings.rbegin(); holding != holdings.rend(); ++holding)
        if (holding->actor == step.actor) {
          holding->given = i;
          break;
        }
    }
  }
}

std::optional<u32> Analysis::previous(u32 step, ActorNumber actor) const {
  auto chain = chains_.find(actor);
  if (chain == chains_.end()) return std::nullopt;
  const std::vector<u32>& steps = steps_of_[chain->second];
  auto place = std::lower_bound(steps.begin(), steps.end(), step);
  if (place == steps.begin()) return std::nullopt;
  return *(place - 1);
}

const std::vector<Holding>& Analysis::holdings(u64 lock) const {
  static const std::vector<Holding> kNone;
  auto found = holdings_.find(lock);
  return found == holdings_.end() ? kNone : found->second;
}

std::vector<Holding> Analysis::holders(u64 lock, u32 step, ActorNumber actor, bool write) const {
  std::vector<Holding> result;
  const std::vector<Holding>& all = holdings(lock);
  auto end =
      std::lower_bound(all.begin(), all.end(), step, [](const Holding& h, u32 at) { return h.gained < at; });
  while (end != all.begin()) {
    --end;
    // The lock was still held when the step began (a step releases at its end). A lock that is never released is
    // held.
    if (end->given >= step && end->actor != actor && (end->write || write)) result.push_back(*end);
    if (end->write) break;  // all earlier holders had released it before
  }
  return result;
}

Digest Analysis::digest(const ActorNames& names) const {
  std::vector<u64> salts;
  for (ActorNumber actor : actors_) salts.push_back(digest_salt(names.path(actor)));
  Digest sum;
  for (u32 i = 0; i < size(); ++i) {
    u64 knows = 0;
    for (u32 chain = 0; chain < clocks_.chains(); ++chain)
      if (u32 known = clocks_.known(i, chain)) knows += digest_known(salts[chain], known);
    digest_add(sum, salts[clocks_.chain(i)], clocks_.index(i), execution_.steps[i].op, knows);
  }
  return sum;
}

}  // namespace heddle::explore
