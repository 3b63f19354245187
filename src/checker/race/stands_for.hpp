// Rule (2) of the race checker: when may an access of one task stand for an access of another? See race_checker.hpp.
//
// y stands for x if whatever happens after y happens after x. That is so if y's task has ended, from y's strand on it
// was known to no other task except by joins, and the join that carries y out carries x out, too, or did so earlier.
//
// In the full order, y may also have been known by the end of a critical section, if x was known by the end of an
// earlier section of the same lock: then whoever knows y by its section, or by anything that its task did later, knows
// x. So tasks that read a variable and take a lock, in whatever order, leave one entry for each lock.
#pragma once

#include "order/structure.hpp"

namespace heddle::race {

// The first strands of y whose accesses stand for those of x, in the two orders; kAll when none does.
struct StandsFrom {
  order::Index by_structure = order::kAll;
  order::Index in_full = order::kAll;
  // In full, too, because of their sections: strands of y from `in_section` on, for those of x up to `released`.
  order::Index in_section = order::kAll;
  order::Index released = 0;

  bool stands_in_full(order::Index y, order::Index x) const {
    return y >= in_full || (y >= in_section && x <= released);
  }
  void not_in_full() { in_full = in_section = order::kAll; }
};

// Did both end with a critical section of one lock, x before y?
inline bool sections_in_order(const order::Task& x, const order::Task& y) {
  if (!x.ended.load(std::memory_order_acquire) || !y.ended.load(std::memory_order_acquire)) return false;
  return y.section.lock && x.section.lock == y.section.lock && x.section.number < y.section.number &&
         y.last_release.load(std::memory_order_relaxed) == y.section.end;
}

// Climbs the joins of a task.
struct JoinPath {
  const order::Task* task;  // what the task is part of by now
  order::Index at = 0;      // since this strand; 0: it is the task itself

  // False: nothing has joined it yet.
  bool climb() {
    const order::Scope* scope = order::Structure::joined_by(*task);
    if (!scope) return false;
    task = scope->owner;
    at = scope->closed.load(std::memory_order_acquire);
    return true;
  }
};

// Neither is joined. Will each scope that may join y join x, at the latest?
inline StandsFrom same_joins(const order::Task& y, const order::Task& x, StandsFrom from) {
  using order::Scope, order::Structure;
  if (y.wait && x.wait == y.wait && x.group == y.group) return from;
  // Once y's parent has ended no taskwait can join y, only groups can, and they join descendants, too. (Before that,
  // nothing is within `wait`: it is no group.)
  const Scope *wait = Structure::in_force(y.wait), *group = Structure::in_force(y.group);
  if (!wait || !group || !Structure::within(x, *wait) || (group != wait && !Structure::within(x, *group)))
    return {};
  // In this run the thread that ran y's parent may still wait for it (Structure::wait_in_full), and not for x.
  const order::Task& parent = *y.wait->owner;
  const bool team_work = parent.wait && parent.wait == parent.group;
  if (team_work) from.not_in_full();
  return from;
}

inline StandsFrom stands_from(const order::Task& y, const order::Task& x) {
  using order::Index, order::kAll, order::Structure;
  StandsFrom from;
  if (!y.ended.load(std::memory_order_acquire)) return from;
  Index signal = y.last_signal.load(std::memory_order_relaxed),
        release = y.last_release.load(std::memory_order_relaxed);
  if (signal == kAll) return from;
  from.by_structure = signal + 1;
  from.in_full = release == kAll ? kAll : (release > signal ? release : signal) + 1;
  if (sections_in_order(x, y)) {
    from.in_section = (y.section.before > signal ? y.section.before : signal) + 1;
    from.released = x.section.end;
  }

  JoinPath of_y{&y}, of_x{&x};
  for (;;) {
    while (of_x.task->depth > of_y.task->depth && of_x.climb()) continue;
    // They are part of the same task. If x is since no later than y, all that happens after y there happens after x.
    if (of_x.task == of_y.task && of_x.at && of_x.at <= of_y.at) return from;
    if (of_y.at) {
      if (!Structure::quiet_by_structure(*of_y.task, of_y.at)) return {};
      if (!Structure::quiet_in_full(*of_y.task, of_y.at)) from.not_in_full();
    }
    if (!of_y.climb()) break;
  }
  if (of_x.task == of_y.task) return from;
  return same_joins(*of_y.task, *of_x.task, from);
}

}  // namespace heddle::race
