#include "checker/oracle/compare.hpp"

#include <algorithm>

#include "checker/oracle/all_pairs.hpp"

namespace heddle::race {

CheckedRun::~CheckedRun() {
  for (auto& [address, cell] : cells_) release(cell);
}

bool CheckedRun::before_by_structure(const Access& access) const {
  return access.index() <= structure_.known_by_structure(*find(access.task()), *task_);
}
bool CheckedRun::before_in_full(const Access& access) const {
  return access.index() <= structure_.known_in_full(*find(access.task()), *task_);
}
bool CheckedRun::share_a_lock(u32 a, u32 b) const {
  for (auto [lock, write] : locksets_[a])
    if (auto other = locksets_[b].find(lock); other != locksets_[b].end() && (write || other->second))
      return true;
  return false;
}
bool CheckedRun::subset(u32 a, u32 b) const {
  for (auto [lock, write] : locksets_[a])
    if (auto other = locksets_[b].find(lock); other == locksets_[b].end() || other->second != write)
      return false;
  return true;
}
bool CheckedRun::thread_bound(const Access& earlier, const Access& now) const {
  return earlier.bound() && now.bound() &&
         find(earlier.task())->thread.load() == find(now.task())->thread.load();
}
void CheckedRun::race(const Access& earlier, const Access& now, Evidence evidence) {
  reports_.push_back({earlier.site(), now.site(), evidence});
}

u32 CheckedRun::number_of(const Locks& locks) {
  for (u32 i = 0; i < locksets_.size(); ++i)
    if (locksets_[i] == locks) return i;
  locksets_.push_back(locks);
  return static_cast<u32>(locksets_.size() - 1);
}

std::optional<u32> CheckedRun::repeated(const event::Access& access) {
  const order::Task& task = builder_.task(access.task);
  const u32 lockset = number_of(held_[access.task]);
  for (const Mark& mark : marks_) {
    const event::Access& earlier = mark.access;
    const bool all =
        earlier.address <= access.address && earlier.address + earlier.size >= access.address + access.size;
    const bool as_strong = earlier.write >= access.write && earlier.atomic <= access.atomic &&
                           earlier.bound <= access.bound && subset(mark.lockset, lockset);
    if (mark.task == task.id && mark.released_at == task.live->released_at && all && as_strong)
      return mark.event;
  }
  return std::nullopt;
}

// Granule by granule.
void CheckedRun::access(const event::Access& access, u32 event) {
  if (repeats_ == Repeats::kNotTold) {
    event::Access whole = access;
    whole.bound |= bound_[access.task];
    if (auto earlier = repeated(whole)) {
      sites_[event] = *earlier;
      return;
    }
    const order::Task& task = builder_.task(access.task);
    marks_.push_back({whole, event, number_of(held_[access.task]), task.id, task.live->released_at});
  }
  event::Access part = access;
  for (u64 end = access.address + access.size; part.address < end; part.address += part.size) {
    part.size = static_cast<u32>(std::min<u64>(8 - part.address % 8, end - part.address));
    access_granule(part, event);
  }
}

void CheckedRun::access_granule(const event::Access& access, u32 event) {
  order::Task& task = builder_.task(access.task);
  u64 flags = 0;
  if (access.write) flags |= kWrite;
  if (!access.atomic) flags |= kPlain;
  if (bound_[access.task] || access.bound) flags |= kBound;
  u8 bytes = static_cast<u8>(((1u << access.size) - 1) << (access.address % 8));
  u64 strand = strand_word(task.id, task.now);
  u32 site = repeats_ == Repeats::kShareSites
                 ? first_sites_.try_emplace({strand, access.address / 8 << 8 | flags}, event).first->second
                 : event;
  sites_[event] = site;
  Access now{strand, what_word(site, number_of(held_[access.task]), bytes, flags)};
  task_ = &task;
  Cell& cell = cells_[access.address / 8];
  RaceChecker<CheckedRun>::check(cell, now, *this);
}

void CheckedRun::add(const event::Event& event) {
  u32 number = events_++;
  builder_.add(event);
  if (auto* e = std::get_if<event::Acquire>(&event)) held_[e->task][e->lock] = e->write;
  if (auto* e = std::get_if<event::Release>(&event)) held_[e->task].erase(e->lock);
  if (auto* e = std::get_if<event::Bind>(&event)) bound_[e->task] = true;
  if (auto* e = std::get_if<event::Access>(&event)) access(*e, number);
  if (auto* e = std::get_if<event::NewMemory>(&event))
    for (auto cell = cells_.lower_bound(e->address / 8);
         cell != cells_.end() && cell->first * 8 < e->address + e->size; ++cell) {
      release(cell->second);
      cell->second = {};
    }
  if (auto* e = std::get_if<event::NewMemory>(&event))
    std::erase_if(marks_, [&](const Mark& mark) {
      const event::Access& access = mark.access;
      return access.address / 8 <= (e->address + e->size - 1) / 8 &&
             e->address / 8 <= (access.address + access.size - 1) / 8;
    });
}

u32 CheckedRun::remembered(u64 address) const {
  auto found = cells_.find(address / 8);
  if (found == cells_.end()) return 0;
  const Cell& cell = found->second;
  return cell.count();
}

std::optional<std::string> race_disagreement(order::Structure& structure, const event::History& history,
                                             Repeats repeats) {
  CheckedRun run(structure, repeats);
  for (const event::Event& event : history) run.add(event);

  struct Verdict {
    bool race = false, certain = false;
  };
  AllPairs truth(history);
  std::map<std::pair<u32, u32>, Verdict> true_pairs;  // by sites: the accesses of one site are of one strand
  for (const RacingPair& race : truth.races()) {
    Verdict& verdict = true_pairs[{run.site_of(race.first), run.site_of(race.second)}];
    verdict.race = true;
    verdict.certain |= race.certain;
  }
  auto pair = [](u32 a, u32 b) { return "events " + std::to_string(a) + " and " + std::to_string(b); };
  std::map<u32, Verdict> said;  // by the site of the later access
  for (const Reported& report : run.reports()) {
    auto race = true_pairs.find({report.first, report.second});
    if (race == true_pairs.end()) return "a race that is none: " + pair(report.first, report.second);
    bool certain = report.evidence == Evidence::kCertain;
    if (race->second.certain != certain)
      return (certain ? "called certain, but only predicted: " : "called predicted, but certain: ") +
             pair(report.first, report.second);
    Verdict& verdict = said[report.second];
    verdict.race = true;
    verdict.certain |= certain;
  }
  for (const RacingPair& race : truth.races()) {
    Verdict verdict = said[run.site_of(race.second)];
    if (!run.was_told(race.second)) {
      // Accesses between the two of them were checked against the first.
      const Verdict& between = said[run.site_of(race.first)];
      verdict.race |= between.race;
      verdict.certain |= between.certain;
    }
    if (!verdict.race) return "missed the race of " + pair(race.first, race.second);
    if (race.certain && !verdict.certain)
      return "missed the certain race of " + pair(race.first, race.second);
  }
  return std::nullopt;
}

}  // namespace heddle::race
