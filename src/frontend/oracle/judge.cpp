#include "frontend/oracle/judge.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "checker/oracle/all_pairs.hpp"
#include "frontend/oracle/bytes.hpp"
#include "frontend/oracle/variation.hpp"

namespace heddle::oracle {
namespace {

using event::Access;
using event::History;
using event::NewMemory;
using race::AllPairs;
using race::Evidence;
using race::RacingPair;

constexpr u64 key(u32 a, u32 b) { return u64{std::min(a, b)} << 32 | std::max(a, b); }

std::string hex(u64 number) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// A pair of accesses that race.
struct Truth {
  bool certain = false;
  bool conditional = false;  // unless the memory belongs to a thread
};

class Judgement {
  struct Checked {
    const Report* report;
    const std::vector<u32>* events;  // one of which was checked
  };

 public:
  Judgement(const History& history, const Observed& observed) : history_(history), observed_(observed) {
    for (u32 i = 0; i < history.size(); ++i) {
      if (std::holds_alternative<Access>(history[i])) by_strand_[observed.touches[i].strand].push_back(i);
      if (std::holds_alternative<NewMemory>(history[i])) renewals_.push_back(i);
    }
    find_truth();
    for (const Report& report : observed.reports) {
      auto found = by_strand_.find(report.now.strand);
      if (found != by_strand_.end()) reports_in_[report.block].push_back({&report, &found->second});
    }
  }

  std::optional<std::string> first_fault() const {
    for (const Report& report : observed_.reports)
      if (auto fault = fault_of(report)) return fault;
    for (auto [pair, truth] : truth_)
      if (auto fault = missed(static_cast<u32>(pair >> 32), static_cast<u32>(pair), truth)) return fault;
    return std::nullopt;
  }

 private:
  const Access& access(u32 event) const { return std::get<Access>(history_[event]); }
  u8 bytes_of(u32 event, u64 granule) const {
    return bytes_in(granule, access(event).address, access(event).address + access(event).size);
  }

  // A claim on memory of the thread (event::Bind) is believed only under a condition.
  void find_truth() {
    History without_claims = history_;
    bool any = false;
    for (event::Event& event : without_claims)
      if (auto* bind = std::get_if<event::Bind>(&event)) {
        event = NewMemory{bind->task, ~u64{7}, 0};  // of no byte
        any = true;
      }
    const AllPairs pairs(history_);
    for (const RacingPair& race : pairs.races()) truth_[key(race.first, race.second)] = {race.certain};
    if (!any) return;
    const AllPairs with_conditional(without_claims);
    for (const RacingPair& race : with_conditional.races())
      truth_.try_emplace(key(race.first, race.second), Truth{false, true});
  }

  // Of two events: is the granule new memory since the first?
  bool renewed_between(u32 a, u32 b, u64 granule) const {
    return std::any_of(renewals_.begin(), renewals_.end(), [&](u32 event) {
      return event > std::min(a, b) && event < std::max(a, b) && event::renews(history_[event], granule);
    });
  }

  // --- is what was reported a race? --------------------------------------------------------------------------------

  // Those that the runtime may remember as this.
  std::vector<u32> events_of(const race::Access& remembered) const {
    std::vector<u32> events;
    auto found = by_strand_.find(remembered.strand);
    if (found == by_strand_.end()) return events;
    const u32 call = call_of_stack(remembered.site());
    for (u32 event : found->second) {
      const Access& made = access(event);
      const bool reads = !made.write || form_of(made.site) == Form::kCompound;
      if ((remembered.write() ? made.write : reads) && remembered.atomic() == made.atomic &&
          call == call_of(made.site))
        events.push_back(event);
    }
    return events;
  }

  std::optional<std::string> fault_of(const Report& report) const {
    const u8 bytes = report.earlier.bytes() & report.now.bytes();
    if (!bytes) return "a race in no byte";
    std::string fault = "a race that is none";
    std::vector<std::pair<u32, u32>> pairs;
    for (u32 a : events_of(report.earlier))
      for (u32 b : events_of(report.now)) {
        auto truth = truth_.find(key(a, b));
        if (truth == truth_.end()) continue;
        if (truth->second.conditional != report.conditional)
          fault = report.conditional ? "a condition without need" : "a race without its condition";
        else if (!report.conditional && truth->second.certain != (report.evidence == Evidence::kCertain))
          fault =
              truth->second.certain ? "called predicted, but certain" : "called certain, but only predicted";
        else
          pairs.push_back({a, b});
      }
    for (u32 left = report.granules; left; left &= left - 1) {
      const u64 granule = report.block + static_cast<u32>(__builtin_ctz(left)) * 8u;
      u8 racing = 0;
      for (auto [a, b] : pairs) {
        const u8 both = bytes_of(a, granule) & bytes_of(b, granule);
        if ((both & ~racing) && !renewed_between(a, b, granule)) racing |= both;
        if (!(bytes & ~racing)) break;
      }
      if (bytes & ~racing)
        return fault + " at " + hex(granule) + ": " + words(report.earlier) + " and " + words(report.now);
    }
    return std::nullopt;
  }
  std::string words(const race::Access& access) const {
    std::string text = std::string(access.write() ? "a write" : "a read") + " of task " +
                       std::to_string(access.task()) + " of the order from call " +
                       std::to_string(call_of_stack(access.site()));
    if (auto found = by_strand_.find(access.strand); found != by_strand_.end())
      for (u32 event : found->second)
        text += (event == found->second[0] ? ", among events " : ", ") + std::to_string(event);
    return text;
  }

  // --- was what races reported? ------------------------------------------------------------------------------------

  std::optional<std::string> missed(u32 a, u32 b, Truth truth) const {
    const u64 begin = std::max(access(a).address, access(b).address) & ~u64{7};
    const u64 end = std::min(access(a).address + access(a).size, access(b).address + access(b).size);
    for (u64 granule = begin; granule < end; granule = next_to_look_at(granule, end)) {
      const u8 racing = bytes_of(a, granule) & bytes_of(b, granule);
      if (renewed_between(a, b, granule) || !(racing & ~reported(a, b, granule, truth.certain))) continue;
      return std::string("missed the ") + (truth.certain ? "certain " : "") + "race of events " +
             std::to_string(a) + " and " + std::to_string(b) + " at " + hex(granule);
    }
    return std::nullopt;
  }
  // The bytes of the granule in which a race was reported when one of the two was checked.
  u8 reported(u32 a, u32 b, u64 granule, bool certain) const {
    auto found = reports_in_.find(granule & ~u64{255});
    if (found == reports_in_.end()) return 0;
    u8 bytes = 0;
    for (const Checked& checked : found->second) {
      const Report& report = *checked.report;
      if (!(report.granules >> (granule >> 3 & 31) & 1)) continue;
      if (certain && report.evidence != Evidence::kCertain) continue;
      if (stands_for(checked, a) || stands_for(checked, b))
        bytes |= report.earlier.bytes() & report.now.bytes();
    }
    return bytes;
  }
  // Is it the access, or one that the same task made before, at least as strongly, and has released nothing since? Or a
  // read by a task that shares its marks with the one of this read?
  bool stands_for(const Checked& checked, u32 event) const {
    const race::Access& now = checked.report->now;
    const Touch& touch = observed_.touches[event];
    if (now.write() < access(event).write || now.atomic() > access(event).atomic) return false;
    if (observed_.touches[checked.events->front()].released == touch.released) return true;
    return touch.sharers && !now.write() && !access(event).write &&
           std::any_of(checked.events->begin(), checked.events->end(),
                       [&](u32 made) { return observed_.touches[made].sharers == touch.sharers; });
  }

  const History& history_;
  const Observed& observed_;
  std::unordered_map<u64, std::vector<u32>> by_strand_;  // events
  std::vector<u32> renewals_;
  std::map<u64, Truth> truth_;                                // of two events
  std::unordered_map<u64, std::vector<Checked>> reports_in_;  // a block
};

}  // namespace

std::optional<std::string> race_disagreement(const History& history, const Observed& observed) {
  return Judgement(history, observed).first_fault();
}

std::optional<std::string> stop_disagreement(const History& history, const Observed& observed) {
  auto stop = observed.stops.begin();
  for (u32 i = 0; i < history.size(); ++i) {
    auto* access = std::get_if<Access>(&history[i]);
    Bytes stopped;
    for (; stop != observed.stops.end() && stop->event == i; ++stop) {
      if (!access) continue;  // an atomic variable that carries a signal
      if (stop->write != access->write || stop->atomic != access->atomic)
        return "a stop before another kind of access than event " + std::to_string(i);
      stopped.add(stop->address, stop->address + stop->size);
    }
    if (!access) continue;
    Bytes touched = stopped;
    touched.add(access->address, access->address + access->size);
    Bytes all;
    all.add(access->address, access->address + access->size);
    if (touched != all || (stopped != all && !observed.touches[i].quiescent))
      return "stopped before other bytes than those of event " + std::to_string(i);
  }
  return std::nullopt;
}

}  // namespace heddle::oracle
