#include "confirm/finding_target.hpp"

#include <algorithm>
#include <initializer_list>

namespace heddle::confirm {
namespace {

void aim_at(const report::Deadlock& deadlock, const std::string& executable, Target& target) {
  target.kind = Target::Kind::kDeadlock;
  for (const report::Deadlock::Edge& edge : deadlock.edges) {
    const auto site = report::name_site(executable, edge.wants);
    if (!site) {
      target.problem = site.error();
      break;
    }
    target.sites.push_back(*site);
    Target::Edge& steered = target.edges.emplace_back();
    steered.lock = edge.wants.code;
    steered.task = edge.task_code;
    for (const report::Acquisition& held : edge.holds)
      if (const auto at = report::name_site(executable, held)) steered.held.push_back(*at);
  }
}

void aim_at(std::initializer_list<const report::Access*> accesses, const std::string& executable,
            Target& target) {
  for (const report::Access* access : accesses) {
    const auto site = report::name_site(executable, *access);
    if (!site) {
      target.problem = site.error();
      break;
    }
    target.sites.push_back(*site);
  }
}

bool same_place(const report::Stack& a, const report::Stack& b) {
  const report::Frame *x = a.user_frame(), *y = b.user_frame();
  return x && y && x->file == y->file && x->line == y->line && x->function == y->function;
}
bool same_place(const report::Access& a, const report::Access& b) { return same_place(a.stack, b.stack); }

// A different thread for each of its edges.
bool shows_cycle(const report::Stall& stall, const report::Deadlock& cycle) {
  std::vector<const report::Waiter*> waiters;
  for (const report::Waiter& waiter : stall.waiters)
    if (waiter.lock) waiters.push_back(&waiter);
  return std::all_of(cycle.edges.begin(), cycle.edges.end(), [&](const report::Deadlock::Edge& edge) {
    const auto found = std::find_if(waiters.begin(), waiters.end(), [&](const report::Waiter* waiter) {
      return same_place(waiter->stack, edge.wants.stack);
    });
    if (found == waiters.end()) return false;
    waiters.erase(found);
    return true;
  });
}

}  // namespace

Target target_of(const report::Finding& finding, const std::string& executable) {
  Target target;
  target.number = finding.number;
  target.headline = finding.headline;
  target.certain = finding.evidence == report::Evidence::Certain;
  visit_kind(
      finding,
      [&](const report::Race& race) {
        aim_at({&race.first, &race.second}, executable, target);
      },
      [&](const report::Violation& violation) {
        target.kind = Target::Kind::kAtomicity;
        target.any_address = !violation.group.empty();
        aim_at({&violation.first, &violation.second, &violation.last}, executable, target);
      },
      [&](const report::Deadlock& deadlock) { aim_at(deadlock, executable, target); });
  return target;
}

bool shows(const report::Report& report, const report::Finding& wanted, bool certainly) {
  const auto any_finding = [&](auto&& is_it) {
    return std::any_of(report.findings.begin(), report.findings.end(), [&](const report::Finding& finding) {
      return (!certainly || finding.evidence == report::Evidence::Certain) && is_it(finding);
    });
  };
  return visit_kind(
      wanted,
      [&](const report::Race& race) {
        return any_finding([&](const report::Finding& finding) {
          const auto* seen = finding.as<report::Race>();
          return seen && ((same_place(seen->first, race.first) && same_place(seen->second, race.second)) ||
                          (same_place(seen->first, race.second) && same_place(seen->second, race.first)));
        });
      },
      [&](const report::Violation& violation) {
        return any_finding([&](const report::Finding& finding) {
          const auto* seen = finding.as<report::Violation>();
          return seen && same_place(seen->first, violation.first) &&
                 same_place(seen->second, violation.second) && same_place(seen->last, violation.last);
        });
      },
      [&](const report::Deadlock& cycle) {
        return std::any_of(report.stalls.begin(), report.stalls.end(),
                           [&](const report::Stall& stall) { return shows_cycle(stall, cycle); });
      });
}

bool shows_happened(const report::Report& report, const report::Finding& wanted) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const report::Finding& finding) {
    const auto *cycle = wanted.as<report::Deadlock>(), *seen = finding.as<report::Deadlock>();
    if (!cycle || !seen || finding.evidence != report::Evidence::Certain) return false;
    const auto &edges = cycle->edges, &others = seen->edges;
    return edges.size() == others.size() &&
           std::is_permutation(edges.begin(), edges.end(), others.begin(),
                               [](const report::Deadlock::Edge& a, const report::Deadlock::Edge& b) {
                                 return same_place(a.wants.stack, b.wants.stack);
                               });
  });
}

}  // namespace heddle::confirm
