#include <array>
#include <tuple>

#include "checker/oracle/all_pairs.hpp"
#include "event/listing.hpp"
#include "event/run_state.hpp"
#include "frontend/oracle/bytes.hpp"
#include "frontend/oracle/hook_calls.hpp"
#include "frontend/oracle/judge.hpp"

namespace heddle::oracle {
namespace {

using namespace event;

// What a task touches between two events: by kind.
using Touched = std::array<Bytes, 8>;
u32 kind_of(bool write, bool atomic, bool bound) { return u32{write} | u32{atomic} << 1 | u32{bound} << 2; }

// What one task does. What it awaits is left out: a wait that brings nothing new is not recorded. Whether the order is
// the same is seen by the races.
struct Doing {
  std::vector<Event> events;
  std::vector<Touched> before = {Touched{}};  // each of them, and after the last
  bool bound = false;
};

using Doings = std::map<u32, Doing>;  // by task

void add_access(Doing& doing, const Access& access, bool write) {
  const u32 kind = kind_of(write, access.atomic, access.bound || doing.bound);
  doing.before.back()[kind].add(access.address, access.address + access.size);
}

// A task that the program does not know of holds what a relaxed operation has read, should a fence come
// (runtime/recording/recorder.hpp).
bool spawns_stand_in(const Event& event, const std::vector<u32>& tasks) {
  auto* spawn = std::get_if<Spawn>(&event);
  return spawn && std::find(tasks.begin(), tasks.end(), spawn->child) == tasks.end();
}

// `tasks`: those of the program; null if there are no others.
Doings doings_of(const History& history, const std::vector<u32>* tasks = nullptr) {
  Doings doings;
  for (const Event& event : history) {
    Doing& doing = doings[task_of(event)];
    if (std::holds_alternative<Bind>(event)) {
      doing.bound = true;  // recorded with each access
    } else if (auto* access = std::get_if<Access>(&event)) {
      if (reads_too(*access)) add_access(doing, *access, false);
      add_access(doing, *access, access->write);
    } else if (!std::holds_alternative<Await>(event) && !std::holds_alternative<NewMemory>(event) &&
               !(tasks && spawns_stand_in(event, *tasks))) {
      doing.events.push_back(event);
      doing.before.emplace_back();
    }
  }
  return doings;
}

// Two names for one thing.
class Names {
 public:
  bool same(u32 driven, u32 recorded) {
    return forth_.try_emplace(driven, recorded).first->second == recorded &&
           back_.try_emplace(recorded, driven).first->second == driven;
  }

 private:
  std::map<u32, u32> forth_, back_;
};

class Comparison {
 public:
  Comparison(const History& driven, const Observed& observed) : driven_(driven), observed_(observed) {
    for (u32 task = 0; task < observed.recorded_as.size(); ++task)
      if (task == 0 || observed.recorded_as[task]) tasks_.same(task, observed.recorded_as[task]);
    for (const Event& event : driven)
      if (auto* access = std::get_if<Access>(&event)) large_ |= access->size > 2048;
  }

  std::optional<std::string> first_difference() {
    const History& recorded = observed_.recorded;
    if (!is_legal(recorded)) return "what was recorded cannot have happened:\n" + listing(recorded);
    Doings of_recorded = doings_of(recorded, &observed_.recorded_as);
    for (auto& [task, doing] : doings_of(driven_)) {
      if (task == 0) drop_end(doing);
      const u32 name = task < observed_.recorded_as.size() ? observed_.recorded_as[task] : 0;
      if (auto difference = compare(doing, of_recorded[name]))
        return "task " + std::to_string(task) + ", recorded as " + std::to_string(name) + ": " + *difference;
      of_recorded.erase(name);
    }
    for (auto& [task, doing] : of_recorded)
      if (std::any_of(doing.before.begin(), doing.before.end(),
                      [](const Touched& t) { return t != Touched{}; }))
        return "a task that there was not: " + std::to_string(task);
    if (races_of(driven_, false) != races_of(recorded, true))
      return "other races than those of\n" + listing(recorded);
    return std::nullopt;
  }

 private:
  // That of the initial thread is that of the process.
  static void drop_end(Doing& doing) {
    if (doing.events.empty() || !std::holds_alternative<End>(doing.events.back())) return;
    doing.events.pop_back();
    doing.before.pop_back();
  }

  std::optional<std::string> compare(const Doing& driven, const Doing& recorded) {
    for (usize i = 0; i < std::max(driven.before.size(), recorded.before.size()); ++i) {
      if (i >= driven.before.size()) return "more was recorded: " + describe(recorded.events[i - 1]);
      if (i >= recorded.before.size()) return "not recorded: " + describe(driven.events[i - 1]);
      if (driven.before[i] != recorded.before[i]) {
        const std::string place = i < driven.events.size() ? describe(driven.events[i]) : "its end";
        return "other accesses before: " + place;
      }
      if (i < driven.events.size() && i < recorded.events.size() &&
          !same(driven.events[i], recorded.events[i]))
        return describe(driven.events[i]) + ", but recorded: " + describe(recorded.events[i]);
    }
    return std::nullopt;
  }

  bool same(const Event& driven, const Event& recorded) {
    return driven.index() == recorded.index() &&
           std::visit([&](const auto& e) { return same(e, std::get<std::decay_t<decltype(e)>>(recorded)); },
                      driven);
  }
  bool same(const Spawn& a, const Spawn& b) {
    return tasks_.same(a.child, b.child) && a.kind == b.kind && same(a.depends, b.depends);
  }
  bool same(const Begin& a, const Begin& b) { return threads_.same(a.thread, b.thread); }
  template <OneOf<JoinThread, DetachThread> E>
  bool same(const E& a, const E& b) {
    return tasks_.same(a.child, b.child);
  }
  bool same(const WaitDepend& a, const WaitDepend& b) { return same(a.depends, b.depends); }
  bool same(const OneOf<End, WaitChildren, GroupOpen, GroupClose> auto&,
            const OneOf<End, WaitChildren, GroupOpen, GroupClose> auto&) {
    return true;
  }
  template <OneOf<Fork, Join, BarrierArrive, BarrierLeave> E>
  bool same(const E& a, const E& b) {
    return teams_.same(a.team, b.team);
  }
  template <OneOf<TeamBegin, WorkBegin> E>
  bool same(const E& a, const E& b) {
    return teams_.same(a.team, b.team) && threads_.same(a.thread, b.thread);
  }
  bool same(const Signal& a, const Signal& b) {
    return objects_.same(a.object, b.object) && a.replace == b.replace;
  }
  bool same(const Acquire& a, const Acquire& b) {
    return locks_.same(a.lock, b.lock) && a.write == b.write && a.tries == b.tries;
  }
  bool same(const Release& a, const Release& b) { return locks_.same(a.lock, b.lock) && a.write == b.write; }
  // What does not get here.
  bool same(const OneOf<Await, Bind, Access, NewMemory> auto&,
            const OneOf<Await, Bind, Access, NewMemory> auto&) {
    return false;
  }
  static bool same(const std::vector<Depend>& a, const std::vector<Depend>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Depend& x, const Depend& y) {
      return x.kind == y.kind && (x.kind == DependKind::kAllMemory || x.address == y.address);
    });
  }

  // Two tasks (as the driver calls them), a granule and the evidence -> the bytes.
  using Races = std::map<std::tuple<u32, u32, u64, bool>, u8>;
  Races races_of(const History& history, bool is_recorded) const {
    Races found;
    const race::AllPairs pairs(history);
    for (const race::RacingPair& race : pairs.races()) {
      const auto &a = std::get<Access>(history[race.first]), &b = std::get<Access>(history[race.second]);
      const u32 first = name(a.task, is_recorded), second = name(b.task, is_recorded);
      const u64 end = std::min(a.address + a.size, b.address + b.size);
      for (u64 granule = std::max(a.address, b.address) & ~u64{7}; granule < end;
           granule = next_granule(granule)) {
        const u8 bytes = bytes_in(granule, a.address, a.address + a.size) &
                         bytes_in(granule, b.address, b.address + b.size);
        bool renewed = false;
        for (u32 i = race.first + 1; i < race.second; ++i) renewed |= renews(history[i], granule);
        if (!renewed && !(large_ && granule % 256 && granule % 256 != 0xf8))
          found[{std::min(first, second), std::max(first, second), granule, race.certain}] |= bytes;
      }
    }
    return found;
  }
  // Of large ranges only those where blocks meet: which ones must not depend on how an access was cut into records.
  u64 next_granule(u64 granule) const {
    const u64 next = granule + 8;
    return large_ && next % 256 ? next | 0xf8 : next;
  }
  u32 name(u32 task, bool is_recorded) const { return is_recorded ? task : observed_.recorded_as[task]; }

  const History& driven_;
  const Observed& observed_;
  bool large_ = false;  // something is touched of which not all can be looked at
  Names tasks_, teams_, threads_, locks_, objects_;
};

}  // namespace

std::optional<std::string> recording_disagreement(const History& history, const Observed& observed) {
  return Comparison(history, observed).first_difference();
}

}  // namespace heddle::oracle
