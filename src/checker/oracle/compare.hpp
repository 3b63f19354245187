// Runs the accesses of a history through the race checker and compares its verdicts with those of all pairs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/race/race_checker.hpp"
#include "event/event.hpp"
#include "order/builder/order_builder.hpp"

namespace heddle::race {

// What the checker said: the sites of the two accesses and the evidence. A site is the number of an event:
// that of the access itself, or (sharing sites) of the first access that its strand made with the same
// strength, as a loop over bytes does.
struct Reported {
  u32 first, second;
  Evidence evidence;
};

// What the checker gets of a task's repeated accesses: everything; everything, but a site
// for all of a strand that are of one strength; nothing of those that the runtime calls touched
// (ThreadState::marked). Their site is the earlier one's.
enum class Repeats : u8 { kTold, kShareSites, kNotTold };

// The checker on its own: order engine, cells and locksets of the plainest kind.
class CheckedRun {
 public:
  explicit CheckedRun(order::Structure& structure, Repeats repeats = Repeats::kTold)
      : structure_(structure), builder_(structure), repeats_(repeats) {}
  ~CheckedRun();

  void add(const event::Event& event);
  const std::vector<Reported>& reports() const { return reports_; }
  u32 site_of(u32 event) const { return sites_.at(event); }
  bool was_told(u32 event) const { return repeats_ != Repeats::kNotTold || site_of(event) == event; }
  // How many accesses the cell of an address remembers.
  u32 remembered(u64 address) const;

  // What RaceChecker asks its context for; see there.
  order::Task* find(TaskId id) const { return structure_.find(id); }
  bool obsolete(const Access& access) const {
    return structure_.before_quiescent_point(access.task(), access.index());
  }
  bool before_by_structure(const Access& access) const;
  bool before_in_full(const Access& access) const;
  bool share_a_lock(u32 a, u32 b) const;
  bool subset(u32 a, u32 b) const;
  bool thread_bound(const Access& earlier, const Access& now) const;
  StandsFrom stands_from(const Access& access) const {
    return race::stands_from(*find(access.task()), *task_);
  }
  StandsFrom stands_from(const Access& y, const Access& x) const {
    return race::stands_from(*find(y.task()), *find(x.task()));
  }
  u32& position(const AccessList&, const Access&) { return position_; }
  void race(const Access& earlier, const Access& now, Evidence evidence);

 private:
  using Locks = std::map<u32, bool>;  // lock -> held for writing
  u32 number_of(const Locks& locks);
  void access(const event::Access& access, u32 event);
  // The event of an access of this task that says all that this one does; or none.
  std::optional<u32> repeated(const event::Access& access);
  void access_granule(const event::Access& access, u32 event);

  order::Structure& structure_;
  order::OrderBuilder builder_;
  const order::Task* task_ = nullptr;  // that makes the access being checked
  u32 position_ = 0;
  std::map<u64, Cell> cells_;
  std::vector<Locks> locksets_{Locks{}};
  std::map<u32, Locks> held_;
  std::map<u32, bool> bound_;
  std::vector<Reported> reports_;
  Repeats repeats_;
  struct Mark {
    event::Access access;
    u32 event;
    u32 lockset;
    TaskId task;
    Index released_at;
  };
  std::vector<Mark> marks_;
  std::map<std::pair<u64, u64>, u32> first_sites_;  // strand, and location with strength -> site
  std::map<u32, u32> sites_;                        // event -> site
  u32 events_ = 0;
};

// The first disagreement in words, or nothing: an access races (certainly) with an earlier one iff such a
// race was reported when it was made, and every reported pair is a race with that evidence. That is stronger
// than one report a location.
std::optional<std::string> race_disagreement(order::Structure& structure, const event::History& history,
                                             Repeats repeats = Repeats::kTold);

}  // namespace heddle::race
