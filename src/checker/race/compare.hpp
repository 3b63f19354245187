// Runs the accesses of a history through the race checker and compares its verdicts with those of all pairs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/race/race_checker.hpp"
#include "event/event.hpp"
#include "order/order_builder.hpp"

namespace heddle::race {

// What the checker said: the two events (an access's site is its event) and the evidence.
struct Reported {
  u32 first, second;
  Evidence evidence;
};

// The checker on its own: order engine, cells and locksets of the plainest kind.
class CheckedRun {
 public:
  explicit CheckedRun(order::Structure& structure) : structure_(structure), builder_(structure) {}
  ~CheckedRun();

  void add(const event::Event& event);
  const std::vector<Reported>& reports() const { return reports_; }
  // How many accesses the cell of an address remembers.
  u32 remembered(u64 address) const;

  // What RaceChecker asks its context for; see there.
  order::Task* find(TaskId id) const { return structure_.find(id); }
  bool before_by_structure(const Access& access) const;
  bool before_in_full(const Access& access) const;
  bool share_a_lock(u32 a, u32 b) const;
  bool subset(u32 a, u32 b) const;
  bool thread_bound(const Access& earlier, const Access& now) const;
  void race(const Access& earlier, const Access& now, Evidence evidence);

 private:
  using Locks = std::map<u32, bool>;  // lock -> held for writing
  u32 number_of(const Locks& locks);
  void access(const event::Access& access, u32 event);

  order::Structure& structure_;
  order::OrderBuilder builder_;
  const order::Task* task_ = nullptr;  // that makes the access being checked
  std::map<u64, Cell> cells_;
  std::vector<Locks> locksets_{Locks{}};
  std::map<u32, Locks> held_;
  std::map<u32, bool> bound_;
  std::vector<Reported> reports_;
  u32 events_ = 0;
};

// The first disagreement in words, or nothing: an access races (certainly) with an earlier one iff such a
// race was reported when it was made, and every reported pair is a race with that evidence. That is stronger
// than one report a location.
std::optional<std::string> race_disagreement(order::Structure& structure, const event::History& history);

}  // namespace heddle::race
