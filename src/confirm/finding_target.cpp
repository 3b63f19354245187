#include "confirm/finding_target.hpp"

#include <algorithm>

namespace heddle::confirm {
namespace {

Target target_of_deadlock(const report::Finding& finding, const std::string& executable) {
  Target target;
  target.kind = Target::Kind::kDeadlock;
  for (const report::Deadlock::Edge& edge : finding.deadlock->edges) {
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
  return target;
}

bool same_place(const report::Stack& a, const report::Stack& b) {
  const report::Frame *x = a.user_frame(), *y = b.user_frame();
  return x && y && x->file == y->file && x->line == y->line && x->function == y->function;
}
bool same_place(const report::Access& a, const report::Access& b) { return same_place(a.stack, b.stack); }

// Somebody else for each of its edges.
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
  Target target = finding.deadlock ? target_of_deadlock(finding, executable) : Target{};
  target.number = finding.number;
  target.headline = finding.headline;
  target.certain = finding.evidence == report::Evidence::Certain;
  if (finding.deadlock) return target;
  std::vector<const report::Access*> accesses = {&finding.first, &finding.second};
  if (finding.violation) {
    target.kind = Target::Kind::kAtomicity;
    target.any_address = !finding.violation->group.empty();
    accesses.push_back(&finding.violation->last);
  }
  for (const report::Access* access : accesses) {
    const auto site = report::name_site(executable, *access);
    if (!site) {
      target.problem = site.error();
      break;
    }
    target.sites.push_back(*site);
  }
  return target;
}

bool shows(const report::Report& report, const report::Finding& wanted, bool certainly) {
  if (wanted.deadlock)
    return std::any_of(report.stalls.begin(), report.stalls.end(),
                       [&](const report::Stall& stall) { return shows_cycle(stall, *wanted.deadlock); });
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const report::Finding& finding) {
    if (finding.deadlock || finding.violation.has_value() != wanted.violation.has_value()) return false;
    if (certainly && finding.evidence != report::Evidence::Certain) return false;
    if (wanted.violation && !same_place(finding.violation->last, wanted.violation->last)) return false;
    return (same_place(finding.first, wanted.first) && same_place(finding.second, wanted.second)) ||
           (!wanted.violation && same_place(finding.first, wanted.second) &&
            same_place(finding.second, wanted.first));
  });
}

bool shows_happened(const report::Report& report, const report::Finding& wanted) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const report::Finding& finding) {
    if (!finding.deadlock || finding.evidence != report::Evidence::Certain) return false;
    const auto &edges = wanted.deadlock->edges, &others = finding.deadlock->edges;
    return edges.size() == others.size() &&
           std::is_permutation(edges.begin(), edges.end(), others.begin(),
                               [](const report::Deadlock::Edge& a, const report::Deadlock::Edge& b) {
                                 return same_place(a.wants.stack, b.wants.stack);
                               });
  });
}

}  // namespace heddle::confirm
