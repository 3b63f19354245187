// Rule (2) of the race checker: when may an access of one task stand for an access of another? See race_checker.hpp.
#pragma once

#include "order/structure.hpp"

namespace heddle::race {

// The first strands of y whose accesses stand for those of x, in the two orders; kAll when none does.
struct StandsFrom {
  order::Index by_structure = order::kAll;
  order::Index in_full = order::kAll;
};

inline StandsFrom stands_from(const order::Task& y, const order::Task& x) {
  using order::Index, order::kAll, order::Structure;
  StandsFrom from;
  if (!y.ended.load(std::memory_order_acquire)) return from;
  Index signal = y.last_signal.load(std::memory_order_relaxed),
        release = y.last_release.load(std::memory_order_relaxed);
  if (signal == kAll) return from;
  from.by_structure = signal + 1;
  from.in_full = release == kAll ? kAll : (release > signal ? release : signal) + 1;

  // Where y waits now: climb its joins, as long as nothing but joins has carried it further.
  const order::Task* y_top = &y;
  while (const order::Scope* scope = Structure::joined_by(*y_top)) {
    y_top = scope->owner;
    Index at = scope->closed.load(std::memory_order_relaxed);
    if (!Structure::quiet_by_structure(*y_top, at)) return {};
    if (!Structure::quiet_in_full(*y_top, at)) from.in_full = kAll;
  }
  // Where x waits: it may be deeper and joined, but not deeper and free: then it may outlive the join that y waits for.
  const order::Task* x_top = &x;
  while (x_top != y_top && x_top->depth > y_top->depth) {
    const order::Scope* scope = Structure::joined_by(*x_top);
    if (!scope) return {};
    x_top = scope->owner;
  }
  // Once both are in one task there is nothing to choose between: rule (1) decides.
  bool same_join =
      x_top != y_top && x_top->wait && x_top->wait == y_top->wait && x_top->group == y_top->group;
  return same_join ? from : StandsFrom{};
}

}  // namespace heddle::race
